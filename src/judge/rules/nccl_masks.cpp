#include "judge/rules/nccl_masks.h"

#include "base/characters.h"
#include "base/strings.h"

namespace railgauge::judge {

// Groups of 32 bits, the most significant first; each group but the first has eight digits.
std::optional<CpuMask> cpus_of_mask(std::string_view text) {
  CpuMask out;
  const auto groups = split(trim(text), ',');
  std::size_t bit = 0;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const auto value = parse_hex(*group);
    if (!value || group->size() > 8 || bit + 32 > mask_cpus_max) return std::nullopt;
    for (std::size_t i = 0; i < 32; ++i)
      if ((*value >> i & 1) != 0) out.set(bit + i);
    bit += 32;
  }
  if (out.none()) return std::nullopt;
  return out;
}

std::optional<CpuMask> cpus_of_list(std::string_view text) {
  CpuMask out;
  for (const std::string_view part : split(trim(text), ',')) {
    const auto dash = part.find('-');
    const auto first = parse_int(trim(part.substr(0, dash)));
    const auto last =
        dash == std::string_view::npos ? first : parse_int(trim(part.substr(dash + 1)));
    if (!first || !last || *first < 0 || *last < *first || *last >= mask_cpus_max)
      return std::nullopt;
    for (auto cpu = *first; cpu <= *last; ++cpu) out.set(static_cast<std::size_t>(cpu));
  }
  return out;
}

}  // namespace railgauge::judge
