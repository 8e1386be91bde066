// The live half: hwloc looks at this machine's CPUs, caches and NUMA nodes, and the recording keeps
// its XML. No I/O objects: PCI is read from sysfs, which tells more and needs no plugin.
#include <hwloc.h>
#include <hwloc/export.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "observe/hwloc/hwloc_xml.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr const char* file_name = "hwloc.xml";

struct Destroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

std::string refused(const char* call) { return std::string(call) + ": " + std::strerror(errno); }

}  // namespace

void capture_hwloc(const Root& root, Recording& recording) {
  if (root.prefix != "/") return;  // hwloc can look at the running system only
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0)
    return recording.add_refused(file_name, refused("hwloc_topology_init"));
  const Topology topology(raw);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(raw) != 0)
    return recording.add_refused(file_name, refused("hwloc_topology_load"));
  char* text = nullptr;
  int length = 0;  // counts the terminating zero
  if (hwloc_topology_export_xmlbuffer(raw, &text, &length, 0) != 0 || text == nullptr)
    return recording.add_refused(file_name, refused("hwloc_topology_export_xmlbuffer"));
  recording.add_file(file_name, std::string(text));
  hwloc_free_xmlbuffer(raw, text);
}

bool hwloc_present(const Recording& recording) { return recording.find(file_name) != nullptr; }

Result<model::Machine> read_hwloc(const Recording& recording) {
  const Entry* entry = recording.find(file_name);
  if (entry == nullptr) return fail(ErrorKind::not_found, "the recording has no hwloc.xml");
  if (entry->kind != Entry::Kind::file)
    return fail(ErrorKind::device, "hwloc.xml was not recorded: " + std::string(entry->bytes));
  return read_hwloc_xml({file_name, std::string(entry->bytes)});
}

}  // namespace railgauge::observe
