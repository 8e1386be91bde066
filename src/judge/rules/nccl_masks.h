// CPU masks as NCCL writes them, and CPU lists as the kernel does.
//   cpus_of_mask("ffff,ffffffff")   // 48 CPUs
//   cpus_of_list("0-47,96-143")
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

namespace railgauge::judge {

constexpr int mask_cpus_max = 4096;
using CpuMask = std::bitset<mask_cpus_max>;

// Nothing for what is not such a mask or list, or goes beyond the bound.
std::optional<CpuMask> cpus_of_mask(std::string_view text);
std::optional<CpuMask> cpus_of_list(std::string_view text);

}  // namespace railgauge::judge
