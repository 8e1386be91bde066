// Versions as their owners write them, compared number by number.
//   version_less("535.104.05", "535.216")                       // true
//   version_less("5.15.0-100-generic", "5.15.0-99-generic")     // false
//   version_less("MLNX_OFED_LINUX-23.10-0.5.5.0", "24.01")      // true
// A text is read from its first digit on, as long as numbers follow '.', '-' or '_'; what is
// missing at the end counts as 0.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace railgauge::judge {

std::vector<std::uint64_t> version_numbers(std::string_view text);  // at most 8; empty: no version
bool version_less(std::string_view a, std::string_view b);

// from <= version < to; an empty bound is none. A text without a version is in no bounded range.
bool version_in(std::string_view version, std::string_view from, std::string_view to);

}  // namespace railgauge::judge
