#include "observe/archive/entry_path.h"

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

Result<std::string> entry_path(std::string_view raw) {
  const auto no = [](const char* why) { return fail(ErrorKind::input, why); };
  if (raw.empty()) return no("has no name; pack it again");
  if (raw.size() > longest_path_bytes)
    return fail(ErrorKind::limit, "has a name longer than 4096 bytes; shorten it");
  if (raw.front() == '/') return no("is an absolute path; pack it again with relative paths");
  if (raw.find('\0') != raw.npos) return no("has a NUL byte in its name; rename it");
  if (raw.find('\\') != raw.npos)
    return no("has a backslash in its name; pack it again with '/' between directories");
  if (std::any_of(raw.begin(), raw.end(), is_control))
    return no("has a control byte in its name; rename it");
  const bool ascii = std::none_of(raw.begin(), raw.end(), [](char c) { return (c & 0x80) != 0; });
  if (!ascii && valid_utf8(raw) != raw) return no("has a name that is not UTF-8; rename it");

  std::string path;
  path.reserve(raw.size());
  std::size_t depth = 0;
  for (std::size_t start = 0; start <= raw.size();) {
    const std::size_t end = std::min(raw.find('/', start), raw.size());
    const std::string_view part = raw.substr(start, end - start);
    start = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return no("has \"..\" in its path; pack it again with plain paths");
    if (++depth > deepest_path)
      return fail(ErrorKind::limit, "lies deeper than 64 directories; flatten it");
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  return std::none_of(name.begin(), name.end(), [](char c) {
    return is_control(c) || c == '/' || c == '\\' || (c & 0x80) != 0;
  });
}

Result<void> check_link_target(std::string_view target) {
  if (target.empty()) return fail(ErrorKind::input, "is a link to nothing; leave it out");
  if (target.size() > longest_path_bytes)
    return fail(ErrorKind::limit, "is a link with more than 4096 bytes; leave it out");
  if (target.find('\0') != target.npos)
    return fail(ErrorKind::input, "is a link with a NUL byte; leave it out");
  return {};
}

}  // namespace railgauge::observe
