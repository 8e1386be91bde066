#include "observe/privacy/permutation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <set>
#include <vector>

namespace railgauge::observe::privacy {
namespace {

const Keyed keyed("a key of a test");

// The same network run backwards, one digit at a time: what was added is taken away.
std::vector<std::uint8_t> undone(std::string tweak, std::vector<std::uint8_t> digits,
                                 const std::vector<std::uint8_t>& bases) {
  const std::size_t half = digits.size() / 2;
  for (int round = 9; round >= 0; --round) {
    const bool right = round % 2 == 0;
    const std::string source(right ? digits.begin() : digits.begin() + static_cast<long>(half),
                             right ? digits.begin() + static_cast<long>(half) : digits.end());
    const std::size_t first = right ? half : 0;
    const std::size_t count = right ? digits.size() - half : half;
    for (std::size_t i = 0; i < count; ++i) {
      std::string seed = tweak + '\0' + std::string(bases.begin(), bases.end()) + '\0';
      seed += static_cast<char>(round);
      seed += static_cast<char>(i / 16);
      const auto digest = keyed.digest("permutation", seed + source);
      const int term = digest[2 * (i % 16)] * 256 + digest[2 * (i % 16) + 1];
      const int base = bases[first + i];
      digits[first + i] =
          static_cast<std::uint8_t>(((digits[first + i] - term) % base + base) % base);
    }
  }
  return digits;
}

TEST(Keyed, IsHmacSha256OfLabelZeroAndData) {
  std::string hex;
  for (const auto byte : Keyed("key").digest("label", "data")) hex += fmt::format("{:02x}", byte);
  EXPECT_EQ(
      hex,
      "dadeb58f99604db2d6efbc120e077aaba481769d2981ae6baaa9afbfff9d9df5");  // Python's hmac module
}

TEST(Permutation, EverySixteenBitNumberComesOutOnce) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t value = 0; value < 0x10000; ++value)
    seen.insert(permute_bits(keyed, "all", value, 16));
  EXPECT_EQ(seen.size(), 0x10000u);
  EXPECT_EQ(*seen.rbegin(), 0xffffu);
}

TEST(Permutation, AdjacentMacEndingsDoNotCollide) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t value = 0; value < 20000; ++value)
    seen.insert(permute_bits(keyed, "mac", 0xa00000 + value, 24));
  EXPECT_EQ(seen.size(), 20000u);
}

TEST(Permutation, IsUndoneByItsSlowTwin) {
  std::mt19937 random(7);
  for (const std::size_t count : {1u, 2u, 5u, 6u, 10u, 30u, 77u}) {
    for (int i = 0; i < 20; ++i) {
      std::vector<std::uint8_t> bases;
      std::vector<std::uint8_t> digits;
      for (std::size_t k = 0; k < count; ++k) {
        bases.push_back(std::vector<std::uint8_t>{10, 16, 26}[random() % 3]);
        digits.push_back(static_cast<std::uint8_t>(random() % bases.back()));
      }
      auto permuted = digits;
      permute(keyed, "twin", permuted, bases);
      EXPECT_EQ(undone("twin", permuted, bases), digits);
    }
  }
}

TEST(Permutation, SerialNumberKeepsTheKindOfEachCharacter) {
  const std::string out = permute_characters(keyed, "serial", "MT2251X00123-b7");
  ASSERT_EQ(out.size(), 15u);
  EXPECT_NE(out, "MT2251X00123-b7");
  const std::string form = "AADDDDADDDDD-aD";
  for (std::size_t i = 0; i < form.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(out[i]);
    EXPECT_EQ(form[i] == 'D', std::isdigit(c) != 0) << i;
    EXPECT_EQ(form[i] == 'A', std::isupper(c) != 0) << i;
    EXPECT_EQ(form[i] == 'a', std::islower(c) != 0) << i;
  }
  EXPECT_EQ(out[12], '-');
}

TEST(Permutation, ShortSerialNumbersDoNotCollide) {
  std::set<std::string> seen;
  for (int i = 0; i < 10000; ++i)
    seen.insert(permute_characters(keyed, "serial", fmt::format("{:04}", i)));
  EXPECT_EQ(seen.size(), 10000u);
}

TEST(Permutation, AnotherTweakOrKeyIsAnotherPermutation) {
  const auto value = permute_bits(keyed, "a", 0x123456, 24);
  EXPECT_NE(value, permute_bits(keyed, "b", 0x123456, 24));
  EXPECT_NE(value, permute_bits(Keyed("another"), "a", 0x123456, 24));
}

}  // namespace
}  // namespace railgauge::observe::privacy
