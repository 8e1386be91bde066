#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/vocabulary.h"

namespace railgauge::observe::privacy {
namespace {

// The kernel keeps 15 bytes of a name; nvidia-smi prints the whole command.
constexpr std::size_t longest_process = 200;

void add(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  while (end > start && (text[end - 1] == ' ' || text[end - 1] == '\r')) --end;
  if (end > start && end - start <= longest_process &&
      !is_common_process(text.substr(start, end - start)))
    fields.push_back({start, end - start, NameKind::process});
}

void until(std::string_view stops, std::string_view text, std::size_t start, Fields& fields) {
  const auto end = text.substr(0, start + longest_process).find_first_of(stops, start);
  add(text, start, std::min(end, std::min(text.size(), start + longest_process)), fields);
}

// "NAME:1234]" or "NAME:1234 blocked": the name may itself hold a colon and blanks.
void before_number(std::string_view text, std::size_t start, Fields& fields) {
  const std::size_t most = std::min(text.size(), start + 64);
  for (std::size_t i = start; i < most && text[i] != '\n'; ++i) {
    if (text[i] != ':' || !is_digit(at_or_zero(text, i + 1))) continue;
    const char next = at_or_zero(text, segment_end(text, i + 1));
    if (next == ' ' || next == ']' || next == '\n' || next == '\0' || next == ',')
      return add(text, start, i, fields);
  }
}

// "my_train[1234]: segfault": back over the brackets to the blank before.
void before_brackets(std::string_view text, std::size_t at, Fields& fields) {
  if (at < 3 || text[at - 1] != ' ' || text[at - 2] != ':' || text[at - 3] != ']') return;
  std::size_t open = at - 3;
  while (open > 0 && at - open < 16 && is_digit(text[open - 1])) --open;
  if (open == 0 || text[open - 1] != '[') return;
  const std::size_t end = open - 1;
  std::size_t start = end;
  while (start > 0 && end - start < 64 && text[start - 1] != ' ' && text[start - 1] != '\n')
    --start;
  add(text, start, end, fields);
}

// "process 1234 (NAME)", "Process NAME (pid: 1234"
void behind_process(std::string_view text, std::size_t end, Fields& fields) {
  if (at_or_zero(text, end) != ' ') return;
  std::size_t at = end + 1;
  while (is_digit(at_or_zero(text, at))) ++at;
  if (at > end + 1 && text.substr(at).starts_with(" (")) return until(")\n", text, at + 2, fields);
  const std::size_t name = segment_end(text, end + 1);
  if (name == end + 1) return;
  const std::string_view near = text.substr(0, end + 64);
  const auto pid = std::min(near.find(" (pid", end), near.find(" pid ", end));
  if (pid != std::string_view::npos) add(text, end + 1, pid, fields);
}

// nvidia-smi -q lists "Process ID", "Type" and then "Name : /home/…/python".
void behind_name(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  std::size_t at = end;
  while (at_or_zero(text, at) == ' ') ++at;
  if (at == end || at_or_zero(text, at) != ':') return;
  const std::string_view before =
      text.substr(start > 160 ? start - 160 : 0, std::min(start, std::size_t{160}));
  if (!contains(before, "Process ID")) return;
  until("\n", text, at + 2, fields);
}

// ", name=NAME," of many lines of NVRM; in a line of an Xid whatever stands before it and around.
void behind_name_equals(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const std::string_view before =
      text.substr(start > 200 ? start - 200 : 0, std::min(start, std::size_t{200}));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const char quote = at_or_zero(text, end + 1);
  const bool quoted = quote == '"' || quote == '\'';
  if (!contains(line, "Xid (") && (quote == '"' || !line.ends_with(", "))) return;
  if (quoted) return until(quote == '"' ? "\"\n" : "'\n", text, end + 2, fields);
  until(",)\n", text, end + 1, fields);
}

void traps(std::string_view text, std::size_t end, Fields& fields) {
  if (text.substr(end).starts_with(": ")) until("[\n", text, end + 2, fields);
}

void invoked(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  if (start < 2 || !text.substr(end).starts_with(" oom")) return;
  std::size_t name = start - 1;
  while (name > 0 && start - name < 64 && text[name - 1] != ' ' && text[name - 1] != '\n') --name;
  add(text, name, start - 1, fields);
}

// Comm: NAME, comm="NAME", comm NAME
void behind_comm(std::string_view text, std::size_t end, Fields& fields) {
  const std::string_view rest = text.substr(end, 2);
  if (rest == "=\"") return until("\"\n", text, end + 2, fields);
  if (rest == ": ") return until(" \n,", text, end + 2, fields);
  if (rest.starts_with("=")) return until(" \n,", text, end + 1, fields);
}

}  // namespace

void process_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const std::string_view segment = text.substr(start, end - start);
  switch (segment[0]) {
    case 'n':
      if (segment == "name" && at_or_zero(text, end) == '=')
        behind_name_equals(text, start, end, fields);
      if (segment == "name" && at_or_zero(text, end) == '>' && start >= 8 &&
          text.substr(start - 8, 8) == "process_")
        until("<\n", text, end + 1, fields);
      break;
    case 'N':
      if (segment == "Name") behind_name(text, start, end, fields);
      break;
    case 'c':
    case 'C':
      if (segment == "comm" || segment == "Comm") behind_comm(text, end, fields);
      break;
    case 's':
      if (segment == "segfault") before_brackets(text, start, fields);
      if (segment == "stuck") {
        const auto open = text.substr(0, end + 40).find('[', end);
        if (open != std::string_view::npos) before_number(text, open + 1, fields);
      }
      break;
    case 't':
      if (segment == "traps") traps(text, end, fields);
      if (segment == "thread") behind_process(text, end, fields);
      if (segment == "task" && at_or_zero(text, end) == ' ') before_number(text, end + 1, fields);
      if (segment == "task" && at_or_zero(text, end) == '=') until(",\n ", text, end + 1, fields);
      break;
    case 'i':
      if (segment == "invoked") invoked(text, start, end, fields);
      break;
    case 'p':
    case 'P':
      if (segment == "process" || segment == "Process") behind_process(text, end, fields);
      break;
    default: break;
  }
}

}  // namespace railgauge::observe::privacy
