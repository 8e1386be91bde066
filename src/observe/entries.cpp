#include "observe/entries.h"

#include <utility>

namespace railgauge::observe {

std::string_view Entries::hold(std::string text) {
  if (texts_ && texts_.use_count() > 1) held_.push_back(std::exchange(texts_, nullptr));
  if (!texts_) texts_ = std::make_shared<std::deque<std::string>>();
  return texts_->emplace_back(std::move(text));
}

void Entries::hold_with(const Entries& other) {
  held_.insert(held_.end(), other.held_.begin(), other.held_.end());
  if (other.texts_) held_.push_back(other.texts_);
}

void Entries::set(std::string path, Entry::Kind kind, std::string bytes) {
  const Entry entry{kind, hold(std::move(bytes))};
  const auto at = map_.lower_bound(path);
  if (at != map_.end() && at->first == path)
    at->second = entry;
  else
    map_.emplace_hint(at, hold(std::move(path)), entry);
}

Entries::const_iterator Entries::set_held(const_iterator before, std::string_view path,
                                          const Entry& entry) {
  return map_.insert_or_assign(before, path, entry);
}

void Entries::erase(std::string_view path) {
  if (const auto found = map_.find(path); found != map_.end()) map_.erase(found);
}

}  // namespace railgauge::observe
