#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"

namespace railgauge::observe::privacy {
namespace {

void add(std::string_view text, std::size_t start, Fields& fields) {
  const char first = at_or_zero(text, start);
  if (first == '_' && in_segment(at_or_zero(text, start + 1))) ++start;
  const std::size_t end = name_end(text, start);
  if (is_user(text.substr(start, end - start)))
    fields.push_back({start, end - start, NameKind::user});
}

// "user=NAME", "user of NAME": what the words before and after make of "user".
void behind_user(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const char next = at_or_zero(text, end);
  if (next == '=') {
    const std::size_t quote = at_or_zero(text, end + 1) == '"' ? 1 : 0;
    return add(text, end + 1 + quote, fields);
  }
  const std::string_view before = text.substr(start < 4 ? 0 : start - 4, start < 4 ? start : 4);
  if (next == ' ' && (before.ends_with(" of ") || before == "for ")) add(text, end + 1, fields);
}

// uid=1000(NAME)
void behind_uid(std::string_view text, std::size_t end, Fields& fields) {
  if (at_or_zero(text, end) != '=') return;
  std::size_t at = end + 1;
  while (at - end < 12 && is_digit(at_or_zero(text, at))) ++at;
  if (at > end + 1 && at_or_zero(text, at) == '(') add(text, at + 1, fields);
}

// "~NAME/", or alone; "~5" and "1~rc" are no users.
void behind_tilde(std::string_view text, std::size_t start, Fields& fields) {
  if (start >= 2 && (in_segment(text[start - 2]) || text[start - 2] == '~')) return;
  const std::size_t end = name_end(text, start);
  const char next = at_or_zero(text, end);
  if (next == '/' || next == '\0' || next == '\n' || next == '"' || next == ':' || next == '\'' ||
      next == ' ')
    add(text, start, fields);
}

}  // namespace

std::size_t name_end(std::string_view text, std::size_t start) {
  std::size_t end = segment_end(text, start);
  while (end < text.size() && (text[end] == '-' || text[end] == '_' || text[end] == '.') &&
         in_segment(at_or_zero(text, end + 1)))
    end = segment_end(text, end + 1);
  return end;
}

bool is_user(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name != "root" &&
         !all_of_kind(name, digit_character) && (in_segment(name[0]) || name[0] == '_');
}

void user_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const char before = start == 0 ? '\0' : text[start - 1];
  if (before == '~' && !is_digit(text[start])) return behind_tilde(text, start, fields);
  const std::string_view segment = text.substr(start, end - start);
  if (segment.size() > 5) return;
  if (segment == "home" || segment == "Users") {
    if (before == '/' && at_or_zero(text, end) == '/') add(text, end + 1, fields);
  } else if (segment == "user" || segment == "User" || segment == "USER") {
    behind_user(text, start, end, fields);
  } else if (segment == "uid" || segment == "gid") {
    behind_uid(text, end, fields);
  }
}

}  // namespace railgauge::observe::privacy
