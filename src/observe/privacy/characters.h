// Which bytes make up words. A word's segment is a run of letters, digits and bytes of UTF-8 beyond
// ASCII; everything else separates. Decided by a table, since every byte of a recording asks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace railgauge::observe::privacy {

enum : std::uint8_t {
  digit_character = 1,
  hex_character = 2,
  segment_character = 4,
  special_character = 8  // ':' may begin an address, '\\' an escape
};

constexpr std::array<std::uint8_t, 256> character_table() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool hex = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (digit) table[c] |= digit_character;
    if (hex) table[c] |= hex_character;
    if (digit || letter || c >= 0x80) table[c] |= segment_character;
    if (c == ':' || c == '\\') table[c] |= special_character;
  }
  return table;
}

inline constexpr auto characters = character_table();

inline bool is(char c, std::uint8_t kind) {
  return (characters[static_cast<unsigned char>(c)] & kind) != 0;
}
inline bool is_digit(char c) { return is(c, digit_character); }
inline bool is_hex(char c) { return is(c, hex_character); }
inline bool in_segment(char c) { return is(c, segment_character); }

inline bool all_of_kind(std::string_view text, std::uint8_t kind) {
  for (const char c : text)
    if (!is(c, kind)) return false;
  return true;
}

inline std::uint64_t hex_value(char c) {
  if (is_digit(c)) return static_cast<std::uint64_t>(c - '0');
  return static_cast<std::uint64_t>((c | 0x20) - 'a') + 10;
}

// Where the segment that begins at `at` ends.
inline std::size_t segment_end(std::string_view text, std::size_t at) {
  while (at < text.size() && in_segment(text[at])) ++at;
  return at;
}

// Where the word that begins at `at` really begins: the letter of "\\n" belongs to the escape, and
// so do the digits of "\\u000a".
inline std::size_t behind_escape(std::string_view text, std::size_t at) {
  if (at == 0 || at >= text.size() || text[at - 1] != '\\') return at;
  const std::size_t past = at + (text[at] == 'u' ? 5u : text[at] == 'x' ? 3u : 1u);
  const std::size_t end = segment_end(text, at);
  return past < end ? past : end;
}

// The next byte of one of these kinds, or `end`.
inline std::size_t next_of(std::string_view text, std::size_t at, std::size_t end,
                           std::uint8_t kinds) {
  while (at < end && !is(text[at], kinds)) ++at;
  return at;
}

// The byte at a place, 0 past either end.
inline char at_or_zero(std::string_view text, std::size_t at) {
  return at < text.size() ? text[at] : '\0';
}

}  // namespace railgauge::observe::privacy
