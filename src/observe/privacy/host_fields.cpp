#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/hex_chain.h"
#include "observe/privacy/interface_name.h"

namespace railgauge::observe::privacy {
namespace {

bool in_host_name(char c) { return in_segment(c) || c == '-' || c == '.' || c == '_'; }

std::size_t line_start(std::string_view text, std::size_t at, std::size_t most) {
  const std::size_t limit = at > most ? at - most : 0;
  while (at > limit && text[at - 1] != '\n') --at;
  return at;
}

void add(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  if (is_host(text.substr(start, end - start)))
    fields.push_back({start, end - start, NameKind::host});
}

// "node07:911:950 [0] NCCL INFO …": host, process, thread.
void before_nccl(std::string_view text, std::size_t start, Fields& fields) {
  const std::size_t line = line_start(text, start, 320);
  std::size_t at = line;
  while (at < start && in_host_name(text[at])) ++at;
  const std::size_t end = at;
  for (int number = 0; number < 2; ++number) {
    if (at_or_zero(text, at) != ':' || !is_digit(at_or_zero(text, at + 1))) return;
    for (++at; is_digit(at_or_zero(text, at));) ++at;
  }
  if (at < start) add(text, line, end, fields);
}

// "Nov 29 12:30:45 node07 kernel: …": the word between a time and the program.
void before_kernel(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  if (at_or_zero(text, end) != ':' || start < 2 || text[start - 1] != ' ') return;
  std::size_t name = start - 1;
  while (name > 0 && start - name <= longest_field && in_host_name(text[name - 1])) --name;
  if (name < 7 || text[name - 1] != ' ') return;
  // "12:30:45", "12:30:45.123456+00:00" or "…Z" before.
  std::size_t time = name - 1;
  while (time > 0 && name - time < 40 && text[time - 1] != ' ' && text[time - 1] != '\n') --time;
  const std::string_view word = text.substr(time, name - 1 - time);
  if (std::count(word.begin(), word.end(), ':') >= 2 && is_digit(word[0]))
    add(text, name, start - 1, fields);
}

}  // namespace

bool is_host(std::string_view name) {
  if (name.empty() || name.size() > longest_field || name == "localhost" || name == "(none)")
    return false;
  if (!in_segment(name[0]) || all_of_kind(name, digit_character)) return false;
  if (name.starts_with("localhost.") || is_systematic_netdev(name)) return false;
  if (!std::all_of(name.begin(), name.end(), in_host_name)) return false;
  const auto ipv4 = dotted_ipv4(name, 0);
  return !ipv4 || ipv4->end != name.size();
}

bool is_own_host(std::string_view name) {
  return !name.empty() && name != "localhost" && name != "(none)";
}

void host_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const std::string_view segment = text.substr(start, end - start);
  if (segment == "NCCL") return before_nccl(text, start, fields);
  if (segment == "kernel") return before_kernel(text, start, end, fields);
  if (segment == "HostName" && text.substr(end).starts_with("\" value=\"")) {
    const std::size_t value = end + 9;
    std::size_t stop = value;
    while (stop < text.size() && stop - value <= longest_field && text[stop] != '"' &&
           text[stop] != '\n')
      ++stop;
    if (at_or_zero(text, stop) == '"' && is_own_host(text.substr(value, stop - value)))
      fields.push_back({value, stop - value, NameKind::host});
  }
}

}  // namespace railgauge::observe::privacy
