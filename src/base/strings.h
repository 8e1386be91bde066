// Small text tools that every reader of foreign bytes needs. All are linear in their input and
// allocate little.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge {

std::string_view trim(std::string_view text);

// Fields between separators; empty fields are kept: split("a,,b", ',') is {"a", "", "b"}.
std::vector<std::string_view> split(std::string_view text, char separator);

// Fields between runs of blanks and tabs; no empty fields.
std::vector<std::string_view> split_blank(std::string_view text);

bool starts_with_nocase(std::string_view text, std::string_view prefix);
bool equal_nocase(std::string_view a, std::string_view b);
std::string lower(std::string_view text);
bool contains(std::string_view text, std::string_view part);

// The whole text must be the number; nothing else may follow. "0x1f" and "1f" both for hex.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint64_t> parse_hex(std::string_view text);
std::optional<double> parse_double(std::string_view text);  // decimal point, never the locale's

// Terminal escapes (CSI, OSC, single ESC) and other control bytes except tab and newline are
// dropped.
std::string strip_terminal_codes(std::string_view text);

// For messages about foreign bytes: printable, at most `limit` bytes, cut marked with "…".
std::string quoted(std::string_view text, std::size_t limit = 60);

// Replaces what is not valid UTF-8 by U+FFFD.
std::string valid_utf8(std::string_view text);

// Lines without their end ("\n" or "\r\n"), numbered from 1.
//   for (LineCursor lines(text); lines.next();) use(lines.line(), lines.number());
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : rest_(text) {}
  bool next();
  std::string_view line() const { return line_; }
  std::uint32_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::uint32_t number_ = 0;
};

// How many single edits turn a into b; for "did you mean".
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace railgauge
