#include "observe/text/topo_affinity.h"

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

constexpr std::int64_t numa_nodes_max = 65536;  // the kernel's own bound is 1024

}  // namespace

bool claim_affinity(std::string_view column, const std::string& value, model::SourceRef source,
                    model::Device& device, model::GpuFacts& gpu) {
  if (value.empty()) return true;
  if (!is_affinity(value)) return false;
  const bool unknown = value == "N/A";
  const auto number = parse_int(value);
  const bool node = number && *number >= 0 && *number < numa_nodes_max;
  if (column == "CPU Affinity") {
    if (unknown)
      gpu.cpu_affinity.refuse("nvidia-smi says N/A", source);
    else
      gpu.cpu_affinity.claim(value, source);
  } else if (column == "NUMA Affinity") {
    if (unknown) {
      gpu.numa_affinity.refuse("nvidia-smi says N/A", source);
      device.numa_node.refuse("nvidia-smi says N/A", source);
    } else {
      gpu.numa_affinity.claim(value, source);
      if (node) device.numa_node.claim(static_cast<int>(*number), source);
    }
  } else if (!unknown) {  // GPU NUMA ID; N/A says that the GPU's memory is no node: no failure
    if (!node) return false;
    gpu.gpu_numa_id.claim(static_cast<int>(*number), source);
  }
  return true;
}

}  // namespace railgauge::observe
