#include "observe/sysfs/attributes.h"

#include <algorithm>
#include <limits>

namespace railgauge::observe {

Attributes::Attributes(const Recording& recording, model::Machine& machine,
                       std::string_view directory)
    : recording_(recording), machine_(machine), source_(directory) {
  source_ += '/';
  directory_bytes_ = source_.size();
  list();
}

void Attributes::list() {
  auto it = recording_.entries.lower_bound(source_);
  while (it != recording_.entries.end() && it->first.starts_with(source_)) {
    const std::string_view rest = it->first.substr(source_.size());
    const std::size_t slash = rest.find('/');
    if (slash == rest.npos) {
      if (file_count_ == files_.size()) return;
      files_[file_count_++] = {rest, &it->second};
      ++it;
    } else {
      if (directory_count_ == directories_.size()) return;
      directories_[directory_count_++] = rest.substr(0, slash);
      // Everything inside is passed over: '0' is the byte after '/'.
      it = recording_.entries.lower_bound(source_ + std::string(rest.substr(0, slash)) + "0");
    }
  }
  listed_ = true;
}

const Entry* Attributes::find(std::string_view name) const {
  const std::size_t slash = name.find('/');
  if (!listed_) return recording_.find(path(name));
  if (slash != name.npos) {
    const auto end = directories_.begin() + directory_count_;
    const bool there = std::find(directories_.begin(), end, name.substr(0, slash)) != end;
    return there ? recording_.find(path(name)) : nullptr;
  }
  const auto end = files_.begin() + file_count_;
  const auto found = std::lower_bound(
      files_.begin(), end, name,
      [](const File& file, std::string_view wanted) { return file.name < wanted; });
  return found != end && found->name == name ? found->entry : nullptr;
}

std::string Attributes::path(std::string_view name) const {
  std::string path;
  path.reserve(directory_bytes_ + name.size());
  return path.append(source_, 0, directory_bytes_).append(name);
}

Reading<std::string> plain_text(std::string_view text) {
  if (text.empty()) return Reading<std::string>::failed("the file is empty");
  // The longest text a person would want to read; longer ones are not names.
  if (text.size() > 4096) return Reading<std::string>::not_reported("a text of at most 4096 bytes");
  return valid_utf8(text);
}

Reading<int> count(std::string_view text) {
  const auto value = parse_int(text);
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max())
    return Reading<int>::not_reported("a count");
  return static_cast<int>(*value);
}

Reading<std::uint16_t> hex16(std::string_view text) {
  const auto value = parse_hex(text);
  if (!value || *value > 0xffff)
    return Reading<std::uint16_t>::not_reported("a number like 0x15b3");
  return static_cast<std::uint16_t>(*value);
}

}  // namespace railgauge::observe
