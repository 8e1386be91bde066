// NCCL topology files (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE), in NVIDIA's and RCCL's dialect.
//   looks_like_nccl_topo_xml(bytes)      // a <system> with a version, or with a <cpu> first
//   Result<model::Machine> machine = read_nccl_topo_xml({"topo.xml", bytes});
// The tree: <cpu> becomes a numa_node, <pci> a switch, GPU, NIC or other function by its class,
// <nvlink>, <xgmi> and <c2c> become links. Switches stand for their upstream ports, as NCCL has
// them. What has no fact is kept as an attribute ("nccl.net0.maxconn"), so that present::nccl_xml
// can write it back. A file without GPUs is no error: NCCL adds them. XML bombs are harmless, see
// bounded_xml.h. Never reads the system that NCCL would read to fill gaps.
#pragma once

#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nccl_topo_xml(std::string_view bytes);
Result<model::Machine> read_nccl_topo_xml(const Input& input);

}  // namespace railgauge::observe
