#include "observe/recording.h"

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {

void Recording::add_file(std::string path, std::string bytes) {
  entries.set(std::move(path), Entry::Kind::file, std::move(bytes));
}
void Recording::add_link(std::string path, std::string target) {
  entries.set(std::move(path), Entry::Kind::link, std::move(target));
}
void Recording::add_refused(std::string path, std::string why) {
  entries.set(std::move(path), Entry::Kind::refused, std::move(why));
}

const Entry* Recording::find(std::string_view path) const {
  const auto found = entries.find(path);
  return found == entries.end() ? nullptr : &found->second;
}

Reading<std::string> Recording::text(std::string_view path) const {
  const Entry* entry = find(path);
  if (entry == nullptr) return Reading<std::string>::not_reported(std::string(path) + " is absent");
  if (entry->kind == Entry::Kind::refused)
    return Reading<std::string>::failed(std::string(entry->bytes));
  if (entry->kind == Entry::Kind::link)
    return Reading<std::string>::failed(std::string(path) + " is a link");
  return std::string(trim(entry->bytes));
}

Reading<std::string> Recording::link_name(std::string_view path) const {
  const Entry* entry = find(path);
  if (entry == nullptr) return Reading<std::string>::not_reported(std::string(path) + " is absent");
  if (entry->kind == Entry::Kind::refused)
    return Reading<std::string>::failed(std::string(entry->bytes));
  return std::string(entry->bytes.substr(entry->bytes.rfind('/') + 1));
}

std::vector<std::string> Recording::list(std::string_view directory) const {
  const std::string prefix = std::string(directory) + "/";
  std::vector<std::string> names;
  for (auto it = entries.lower_bound(prefix);
       it != entries.end() && it->first.starts_with(prefix);) {
    const std::string_view rest = it->first.substr(prefix.size());
    const std::size_t slash = rest.find('/');
    names.emplace_back(rest.substr(0, slash));
    // Jump over everything inside a sub-directory: '0' is the byte after '/'.
    it = slash == std::string_view::npos ? std::next(it)
                                         : entries.lower_bound(prefix + names.back() + "0");
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool Recording::has_directory(std::string_view directory) const {
  const std::string prefix = std::string(directory) + "/";
  const auto it = entries.lower_bound(prefix);
  return it != entries.end() && it->first.starts_with(prefix);
}

}  // namespace railgauge::observe
