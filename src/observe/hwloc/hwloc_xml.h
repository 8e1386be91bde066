// hwloc's XML (lstopo --of xml), formats 1.x, 2.x and 3.x.
//   looks_like_hwloc_xml(bytes)          // a <topology> that holds <object type="…">
//   Result<model::Machine> machine = read_hwloc_xml({"node.xml", bytes});
// Gives packages, NUMA nodes with memory, CPUs, cores and caches, host and PCI bridges, PCI
// functions with what hwloc's plugins say of GPUs and NICs, NUMA distances, NVLink and xGMI
// bandwidths.
// The text is read by a parser of ours and not by libhwloc: hwloc trusts its XML, and changing
// single attributes of a good file made libhwloc 2.9.0 crash (2 of 3000 variants). Lines stay known
// this way. hwloc tells one PCIe rate in GB/s, without speed and width; it stays an attribute.
#pragma once

#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_hwloc_xml(std::string_view bytes);
Result<model::Machine> read_hwloc_xml(const Input& input);

}  // namespace railgauge::observe
