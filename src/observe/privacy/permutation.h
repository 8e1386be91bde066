// Permutations that keep a form: digits go to digits of the same base, so no two values of one form
// collide and the result reads as the original did.
//   permute(keyed, "mac 506b4b", digits, bases);           in place
//   permute_bits(keyed, "mac 506b4b", 0x00a1b2, 24)        a permutation of all 24-bit numbers
//   permute_characters(keyed, "serial", "MT2251X00123")    letters to letters, digits to digits
// A Feistel network whose round function is HMAC-SHA256: each round adds to every digit of one half
// a number that depends on the other half, which can be taken back, so the whole is one to one. Ten
// rounds, as NIST's FF1 (SP 800-38G) has them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "observe/privacy/keyed.h"

namespace railgauge::observe::privacy {

// Each digit lies in 0..base-1. The tweak chooses the permutation: one per tweak and bases.
void permute(const Keyed& keyed, std::string_view tweak, std::span<std::uint8_t> digits,
             std::span<const std::uint8_t> bases);

// `bits` is a multiple of 4, at most 64; the value has no bits above them.
std::uint64_t permute_bits(const Keyed& keyed, std::string_view tweak, std::uint64_t value,
                           int bits);

// ASCII digits, upper and lower case letters change among themselves; all other bytes stay.
std::string permute_characters(const Keyed& keyed, std::string_view tweak, std::string_view text);

}  // namespace railgauge::observe::privacy
