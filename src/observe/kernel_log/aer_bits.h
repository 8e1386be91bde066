// The bits of the AER status registers under the kernel's short names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

// Empty for a bit that has no name.
std::string_view aer_bit_name(bool corrected, int bit);
// "Replay Timer Timeout" and "Timeout" are both "Timeout"; whether such a name is a corrected one.
// Anything else is returned as it is.
struct AerBit {
  std::string_view name;
  bool known = false;
  bool corrected = false;
};
AerBit aer_bit(std::string_view words);

std::vector<std::string> aer_bits(bool corrected, std::uint64_t status);

}  // namespace railgauge::observe
