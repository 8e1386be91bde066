#include "observe/privacy/permutation.h"

#include <algorithm>
#include <vector>

namespace railgauge::observe::privacy {
namespace {

constexpr int rounds = 10;

// Adds to every digit of one half what follows from the other half, 16 digits a digest.
void add_round(const Keyed& keyed, std::string& seed, int round,
               std::span<const std::uint8_t> source, std::span<std::uint8_t> target,
               std::span<const std::uint8_t> bases) {
  const std::size_t tweak_size = seed.size();
  for (std::size_t start = 0; start < target.size(); start += 16) {
    seed += static_cast<char>(round);
    seed += static_cast<char>(start / 16);
    seed.append(source.begin(), source.end());
    const auto digest = keyed.digest("permutation", seed);
    seed.resize(tweak_size);
    const std::size_t end = std::min(target.size(), start + 16);
    for (std::size_t i = start; i < end; ++i) {
      const std::size_t at = 2 * (i - start);
      const unsigned term = static_cast<unsigned>(digest[at]) << 8 | digest[at + 1];
      target[i] = static_cast<std::uint8_t>((target[i] + term) % bases[i]);
    }
  }
}

struct Alphabet {
  char first;
  std::uint8_t base;
};

// The letters or digits that a character may turn into; base 0: it stays.
Alphabet alphabet_of(char c) {
  if (c >= '0' && c <= '9') return {'0', 10};
  if (c >= 'A' && c <= 'Z') return {'A', 26};
  if (c >= 'a' && c <= 'z') return {'a', 26};
  return {c, 0};
}

}  // namespace

void permute(const Keyed& keyed, std::string_view tweak, std::span<std::uint8_t> digits,
             std::span<const std::uint8_t> bases) {
  std::string seed(tweak);
  seed += '\0';
  seed.append(bases.begin(), bases.end());
  seed += '\0';
  const std::size_t half = digits.size() / 2;
  const auto left = digits.first(half);
  const auto right = digits.subspan(half);
  for (int round = 0; round < rounds; ++round) {
    if (round % 2 == 0)
      add_round(keyed, seed, round, left, right, bases.subspan(half));
    else
      add_round(keyed, seed, round, right, left, bases.first(half));
  }
}

std::uint64_t permute_bits(const Keyed& keyed, std::string_view tweak, std::uint64_t value,
                           int bits) {
  const std::size_t count = static_cast<std::size_t>(bits) / 4;
  std::vector<std::uint8_t> digits(count);
  const std::vector<std::uint8_t> bases(count, 16);
  for (std::size_t i = count; i-- > 0; value >>= 4)
    digits[i] = static_cast<std::uint8_t>(value & 0xf);
  permute(keyed, tweak, digits, bases);
  for (const auto digit : digits) value = value << 4 | digit;
  return value;
}

std::string permute_characters(const Keyed& keyed, std::string_view tweak, std::string_view text) {
  std::vector<std::uint8_t> digits;
  std::vector<std::uint8_t> bases;
  std::string form(tweak);  // where each kind of character stands chooses the permutation too
  for (const char c : text) {
    const Alphabet alphabet = alphabet_of(c);
    form += alphabet.first;
    if (alphabet.base == 0) continue;
    digits.push_back(static_cast<std::uint8_t>(c - alphabet.first));
    bases.push_back(alphabet.base);
  }
  permute(keyed, form, digits, bases);
  std::string out(text);
  std::size_t next = 0;
  for (char& c : out)
    if (const Alphabet alphabet = alphabet_of(c); alphabet.base != 0)
      c = static_cast<char>(alphabet.first + digits[next++]);
  return out;
}

}  // namespace railgauge::observe::privacy
