#include "observe/privacy/path_fields.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/vocabulary.h"

namespace railgauge::observe::privacy {
namespace {

bool ends_path(char c) { return contains(" \t\n\r\"',;:=|<>()[]{}\\", std::string_view(&c, 1)); }

// One path: every component that is not common, users as such.
void one_path(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const std::string_view path = text.substr(start, end - start);
  for (const char* kernel : {"/sys/", "/proc/", "/dev/nvidia", "/dev/infiniband/"})
    if (path.starts_with(kernel)) return;
  std::string_view parent;
  for (const auto component : split(path, '/')) {
    std::string_view name = component;
    const bool tilde = name.starts_with("~");
    if (tilde) name.remove_prefix(1);
    const bool user = tilde || parent == "home" || parent == "Users";
    parent = component;
    const auto offset = static_cast<std::size_t>(name.data() - text.data());
    if (user && is_user(name))
      fields.push_back({offset, name.size(), NameKind::user});
    else if (!user && !is_common_path_component(name) && name.size() <= longest_field)
      fields.push_back({offset, name.size(), NameKind::path});
  }
}

bool begins_path(std::string_view text, std::size_t at) {
  return text[at] == '/' || text[at] == '~' || text.substr(at).starts_with("./") ||
         text.substr(at).starts_with("../") || text[at] == '$';
}

// "http://host:port/x": the host; what follows is a path.
std::size_t host_of_url(std::string_view text, std::size_t at, std::size_t end, Fields& fields) {
  std::size_t stop = at;
  while (stop < end && text[stop] != '/' && !ends_path(text[stop])) ++stop;
  const auto login = text.substr(at, stop - at).rfind('@');
  if (login != std::string_view::npos) at += login + 1;
  if (is_host(text.substr(at, stop - at))) fields.push_back({at, stop - at, NameKind::host});
  if (stop < end && text[stop] == ':') stop = segment_end(text, stop + 1);  // the port
  return std::min(stop, end);
}

}  // namespace

void path_fields(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  for (std::size_t at = start; at < end;) {
    std::size_t stop = at;
    if (text.substr(at, 2) == "//" && at > start && text[at - 1] == ':')
      stop = host_of_url(text, at + 2, end, fields);
    if (stop < end && begins_path(text, stop)) at = stop;
    while (stop < end && !ends_path(text[stop])) ++stop;
    if (stop > at && begins_path(text, at)) one_path(text, at, stop, fields);
    at = stop + (stop < end && ends_path(text[stop]) ? 1 : 0);
  }
}

}  // namespace railgauge::observe::privacy
