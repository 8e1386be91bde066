#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/address_form.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/path_fields.h"

namespace railgauge::observe::privacy {
namespace {

bool holds_hosts(std::string_view name) {
  for (const char* ending :
       {"_ADDR", "_HOST", "_HOSTS", "_NODELIST", "_NODENAME", "_HOSTNAME", "_HOSTID"})
    if (name.ends_with(ending)) return true;
  return name == "HOSTNAME" || name == "HOST" || name == "HOSTS" || name == "NCCL_COMM_ID";
}

bool holds_user(std::string_view name) {
  return name == "USER" || name == "LOGNAME" || name == "USERNAME" || name.ends_with("_USER") ||
         name.ends_with("_USER_NAME");
}

// "node01,node02:8", "dgx-[01-04,07]": each name up to what cannot be part of one. Inside brackets
// are the numbers of the names before.
void host_items(std::string_view text, std::size_t at, std::size_t end, Fields& fields) {
  AddressForms forms(text);
  int depth = 0;
  while (at < end) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']') depth = std::max(0, depth - 1);
    if (depth > 0 || !in_segment(text[at])) {
      ++at;
      continue;
    }
    if (const auto form = forms.at(at, segment_end(text, at)); form && !is_bare(*form)) {
      at += form->length;
      continue;
    }
    std::size_t stop = at;
    while (stop < end && (in_segment(text[stop]) || contains("-._", text.substr(stop, 1)))) ++stop;
    std::size_t last = stop;
    while (last > at && !in_segment(text[last - 1])) --last;  // the '-' of "dgx-[01-04]"
    const bool port = at > 0 && text[at - 1] == ':';
    if (last < end && text[last] == '@')
      fields.push_back({at, last - at, NameKind::user});
    else if (!port && is_host(text.substr(at, last - at)))
      fields.push_back({at, last - at, NameKind::host});
    at = stop;
  }
}

void one_line(std::string_view text, std::string_view line, Fields& fields) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view name = trim(line.substr(0, equals));
  const std::size_t start = static_cast<std::size_t>(line.data() - text.data()) + equals + 1;
  const std::size_t end = static_cast<std::size_t>(line.data() - text.data()) + line.size();
  const std::string_view value = trim(text.substr(start, end - start));
  const std::size_t value_start = static_cast<std::size_t>(value.data() - text.data());
  if (holds_user(name) && is_user(value))
    fields.push_back({value_start, value.size(), NameKind::user});
  else if (holds_hosts(name) && !contains(value, "/"))
    host_items(text, value_start, value_start + value.size(), fields);
  else
    path_fields(text, start, end, fields);
}

}  // namespace

void environment_fields(std::string_view text, Fields& fields) {
  for (LineCursor lines(text); lines.next();) one_line(text, lines.line(), fields);
}

void argv_fields(std::string_view text, Fields& fields) {
  const auto key = text.find("\"argv\"");
  if (key == std::string_view::npos) return;
  const auto start = text.find('[', key);
  if (start == std::string_view::npos) return;
  // Paths end at a quote, so the array is read as one text.
  bool in_string = false;
  std::size_t end = start;
  for (; end < text.size() && (in_string || text[end] != ']'); ++end) {
    if (text[end] == '"') in_string = !in_string;
    if (text[end] == '\\') ++end;
  }
  path_fields(text, start, std::min(end, text.size()), fields);
}

}  // namespace railgauge::observe::privacy
