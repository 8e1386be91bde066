#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/address_form.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"

namespace railgauge::observe::privacy {
namespace {

constexpr std::size_t most_of_key = 48;    // the rest of a key or label behind "serial"
constexpr std::size_t most_between = 128;  // from the call's name to its value in nvml.json

std::size_t past_blanks(std::string_view text, std::size_t at) {
  while (at_or_zero(text, at) == ' ' || at_or_zero(text, at) == '\t') ++at;
  return at;
}

void add(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  if (end > start && end - start <= longest_field && is_serial(text.substr(start, end - start)))
    fields.push_back({start, end - start, NameKind::serial});
}

// A value in quotes, or a bare number, as JSON and XML write them.
void add_quoted(std::string_view text, std::size_t at, Fields& fields) {
  at = past_blanks(text, at);
  if (at_or_zero(text, at) == '"') {
    const auto end = text.substr(0, at + 2 + longest_field).find_first_of("\"\n\\", at + 1);
    if (end != std::string_view::npos) add(text, at + 1, end, fields);
  } else if (is_digit(at_or_zero(text, at))) {
    add(text, at, segment_end(text, at), fields);
  }
}

// Behind the quote that ends a key: {"serial": "X"}, {"call":"nvmlDeviceGetSerial",…,"value":"X"},
// <info name="DMIBoardSerial" value="X"/>.
void behind_key(std::string_view text, std::size_t at, Fields& fields) {
  const std::size_t next = past_blanks(text, at);
  if (at_or_zero(text, next) == ':') return add_quoted(text, next + 1, fields);
  const std::string_view near = text.substr(at, most_between);
  const std::string_view line = near.substr(0, near.find('\n'));
  if (const auto json = line.find("\"value\""); json != std::string_view::npos) {
    const std::size_t colon = past_blanks(text, at + json + 7);
    if (at_or_zero(text, colon) == ':') add_quoted(text, colon + 1, fields);
  } else if (const auto xml = line.find("value=\""); xml != std::string_view::npos) {
    add_quoted(text, at + xml + 6, fields);
  }
}

// A line's value ends at a comma, a semicolon, a quote, two blanks or the line's end. Of several
// words only those that look like a number are the number.
void add_plain(std::string_view text, std::size_t at, Fields& fields) {
  const std::size_t start = past_blanks(text, at);
  std::size_t end = start;
  while (end < text.size() && end - start <= longest_field &&
         !contains("\n\r\t,;\"'\\)}<", text.substr(end, 1)) &&
         !(text[end] == ' ' && at_or_zero(text, end + 1) == ' '))
    ++end;
  const std::string_view value = trim(text.substr(start, end - start));
  if (contains(value, "driver")) return;  // "Serial: 8250/16550 driver", of the kernel
  std::size_t taken = 0;
  for (const auto word : split_blank(value)) {
    if (!std::any_of(word.begin(), word.end(), is_digit) && word != lower(word) && word.size() > 12)
      break;
    if (taken > 0 && !std::any_of(word.begin(), word.end(), is_digit)) break;
    taken = static_cast<std::size_t>(word.data() + word.size() - value.data());
  }
  add(text, start, start + taken, fields);
}

bool is_label_rest(std::string_view rest) {
  const std::string word = lower(trim(rest));
  for (const char* known : {"", "number", "num", "no", "no.", "nr", "nr.", "id", "#", "s",
                            "_number", "-number", "number]", "]"})
    if (word == known) return true;
  return false;
}

}  // namespace

bool is_serial(std::string_view value) {
  value = trim(value);
  std::size_t digits = 0;
  std::size_t zeros = 0;
  std::size_t letters = 0;
  bool lower_case = false;
  for (const char c : value) {
    if (is_digit(c)) ++digits;
    if (c == '0') ++zeros;
    if (!is_digit(c) && in_segment(c)) ++letters;
    lower_case = lower_case || (c >= 'a' && c <= 'z');
  }
  if (digits + letters < 4 || (letters == 0 && zeros == digits)) return false;
  if (digits == 0)  // words such as "None", "Default string"; "XXXXXXXX" is none either
    return !lower_case && letters >= 6 && !contains(value, " ") &&
           value.find_first_not_of(value[0]) != std::string_view::npos;
  const auto form = AddressForms(value).at(0, segment_end(value, 0));
  return !form || form->length != value.size() || is_bare(*form);
}

void serial_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const std::string_view segment = text.substr(start, end - start);
  const auto found = segment.find("erial");
  const std::size_t behind = found == std::string_view::npos ? end : start + found + 5;
  if (at_or_zero(text, end) == '>') return add_plain(text, end + 1, fields);  // <serial>X</serial>
  const std::string_view near = text.substr(behind, most_of_key);
  const auto stop = near.find_first_of("\":=\n");
  if (stop == std::string_view::npos || near[stop] == '\n') return;
  const std::size_t at = behind + stop;
  if (near[stop] == '"') return behind_key(text, at + 1, fields);
  if (!is_label_rest(near.substr(0, stop))) return;
  const std::size_t next = past_blanks(text, at + 1);
  if (at_or_zero(text, next) == '"') return add_quoted(text, next, fields);
  add_plain(text, at + 1, fields);
}

}  // namespace railgauge::observe::privacy
