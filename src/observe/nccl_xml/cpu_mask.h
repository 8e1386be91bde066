// CPU sets written as hexadecimal masks: "000000ff,ffff0000" (NCCL, sysfs) or "0x000000ff,,0x1"
// (hwloc). Groups of 32 bits, most significant first; an empty group is zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

using CpuMask = std::vector<std::uint32_t>;  // least significant group first

// Nothing for other text: lists such as "0-15", endless sets ("0xf...f"), more than 16384 CPUs.
std::optional<CpuMask> parse_cpu_mask(std::string_view text);

std::vector<std::uint32_t> cpus_of(const CpuMask& mask);
std::string cpu_list(const CpuMask& mask);  // "0-47,96-143"; empty for the empty set

}  // namespace railgauge::observe
