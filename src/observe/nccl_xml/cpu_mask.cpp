#include "observe/nccl_xml/cpu_mask.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {

std::optional<CpuMask> parse_cpu_mask(std::string_view text) {
  constexpr std::size_t most_groups = 16384 / 32;
  text = trim(text);
  if (text.empty() || text.size() > most_groups * 11) return std::nullopt;
  CpuMask mask;
  for (const std::string_view group : split(text, ',')) {
    const bool prefixed = starts_with_nocase(group, "0x");
    const std::string_view digits = prefixed ? group.substr(2) : group;
    if (digits.size() > 8) return std::nullopt;
    const auto value = digits.empty() && !prefixed ? std::uint64_t{0} : parse_hex(digits);
    if (!value) return std::nullopt;
    mask.push_back(static_cast<std::uint32_t>(*value));
  }
  if (mask.size() > most_groups) return std::nullopt;
  std::reverse(mask.begin(), mask.end());
  return mask;
}

std::vector<std::uint32_t> cpus_of(const CpuMask& mask) {
  std::vector<std::uint32_t> cpus;
  for (std::uint32_t group = 0; group < mask.size(); ++group)
    for (std::uint32_t bit = 0; bit < 32; ++bit)
      if ((mask[group] >> bit & 1u) != 0) cpus.push_back(group * 32 + bit);
  return cpus;
}

std::string cpu_list(const CpuMask& mask) {
  const std::vector<std::uint32_t> cpus = cpus_of(mask);
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += last == i ? fmt::format("{}", cpus[i]) : fmt::format("{}-{}", cpus[i], cpus[last]);
    i = last + 1;
  }
  return out;
}

}  // namespace railgauge::observe
