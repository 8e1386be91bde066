// What a recording holds, path by path, sorted by bytes. Paths and contents are views: into an
// archive that was unpacked in one piece, or into texts that were added one by one. Whatever they
// look into is kept alive here and by every copy, so a view is good as long as the entries are.
//   entries.set("sys/class/net/eth0/mtu", Entry::Kind::file, "1500\n");
//   for (const auto& [path, entry] : entries) …
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

struct Entry {
  enum class Kind { file, link, refused };
  Kind kind = Kind::file;
  std::string_view bytes;  // contents, link target, or why it could not be read
  friend bool operator==(const Entry&, const Entry&) = default;
};

class Entries {
 public:
  using Map = std::map<std::string_view, Entry>;
  using const_iterator = Map::const_iterator;

  const_iterator begin() const { return map_.begin(); }
  const_iterator end() const { return map_.end(); }
  std::size_t size() const { return map_.size(); }
  bool empty() const { return map_.empty(); }
  const_iterator find(std::string_view path) const { return map_.find(path); }
  bool contains(std::string_view path) const { return map_.contains(path); }
  const_iterator lower_bound(std::string_view path) const { return map_.lower_bound(path); }

  // Adds the entry, or puts it in the place of the one that is there.
  void set(std::string path, Entry::Kind kind, std::string bytes);
  void erase(std::string_view path);
  const_iterator erase(const_iterator at) { return map_.erase(at); }
  const_iterator erase(const_iterator first, const_iterator last) {
    return map_.erase(first, last);
  }

  // For bytes that need no copy. What `path` and the entry look into must be held: by one of the
  // functions below. `before` is where the path belongs, as for a map. Gives the entry's place.
  const_iterator set_held(const_iterator before, std::string_view path, const Entry& entry);
  void hold(std::shared_ptr<const void> bytes) { held_.push_back(std::move(bytes)); }
  void hold_with(const Entries& other);  // everything that the other holds
  std::string_view hold(std::string text);

  friend bool operator==(const Entries& a, const Entries& b) { return a.map_ == b.map_; }

 private:
  Map map_;
  std::vector<std::shared_ptr<const void>> held_;
  std::shared_ptr<std::deque<std::string>> texts_;  // grows only while no copy holds it too
};

}  // namespace railgauge::observe
