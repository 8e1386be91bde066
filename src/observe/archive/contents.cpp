#include "observe/archive/contents.h"

#include <iterator>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/refused.h"

namespace railgauge::observe {
namespace {

constexpr std::uint64_t one_entry_bytes = 64;  // what a node of the map costs beside its strings

bool has_directory(const Entries& entries, const std::string& name) {
  const std::string below = name + "/";
  const auto it = entries.lower_bound(below);
  return it != entries.end() && it->first.starts_with(below);
}

}  // namespace

Error Collector::error(ErrorKind kind, std::string_view path, const std::string& what) const {
  return Error{kind, name_ + ": entry " + quoted(path, 120) + " " + what, {}};
}

Error Collector::too_large(std::string_view path) const {
  if (bytes_left() < bounds_.entry_bytes)
    return Error{ErrorKind::limit,
                 name_ + " holds more than " + text_of_bytes(bounds_.total_bytes) +
                     ", the most we read; leave out what does not belong to the recording",
                 {}};
  return error(ErrorKind::limit, path,
               "is larger than " + text_of_bytes(bounds_.entry_bytes) +
                   ", the most we read of one file; leave it out or shorten it");
}

Result<void> Collector::charge(std::string_view path, std::uint64_t bytes) {
  if (used_entries_ >= bounds_.entries)
    return fail(ErrorKind::limit, name_ + " holds more than " + std::to_string(bounds_.entries) +
                                      " entries, the most we read; name a smaller directory");
  const std::uint64_t cost = path.size() + one_entry_bytes;
  if (bytes > bounds_.entry_bytes || bytes + cost > bytes_left())
    return tl::unexpected(too_large(path));
  used_bytes_ += bytes + cost;
  ++used_entries_;
  return {};
}

// Walks up only to the first directory already known: linear in what is new. Archives mostly come
// sorted: then it is that of the entry before.
Result<void> Collector::need_directories(std::string_view path) {
  const std::string_view own = path.substr(0, path.rfind('/') + 1);
  if (own.empty() || own == last_parent_) return {};
  for (std::size_t slash = path.rfind('/'); slash != path.npos; slash = path.rfind('/')) {
    path = path.substr(0, slash);
    if (directories_.contains(path)) break;
    if (auto added = add_held_directory(path); !added) return added;
  }
  last_parent_ = own;
  return {};
}

Result<void> Collector::add_directory(std::string_view path) {
  if (path.empty() || directories_.contains(path)) return {};
  has_own_directories_ = true;
  return add_held_directory(entries_.hold(std::string(path)));
}

Result<void> Collector::add_held_directory(std::string_view path) {
  const auto found = entries_.find(path);
  if (found != entries_.end() && found->second.kind != Entry::Kind::refused)
    return tl::unexpected(
        error(ErrorKind::input, path, "is both a file and a directory; remove one of them"));
  if (auto paid = charge(path, 0); !paid) return paid;
  directories_.insert(path);
  return need_directories(path);
}

// Where the path is, or would be. Archives mostly come sorted, or in sorted runs: then it is right
// behind the entry before.
Entries::const_iterator Collector::place_of(std::string_view path) const {
  if (!last_place_ || (*last_place_)->first >= path) return entries_.lower_bound(path);
  const auto next = std::next(*last_place_);
  if (next == entries_.end() || path <= next->first) return next;
  return entries_.lower_bound(path);
}

Result<void> Collector::add(std::string path, Entry::Kind kind, std::string bytes) {
  const std::string_view held = entries_.hold(std::move(path));
  return add_held(held, {kind, entries_.hold(std::move(bytes))});
}

Result<void> Collector::add_held(std::string_view path, const Entry& entry) {
  if (path.empty()) return tl::unexpected(error(ErrorKind::input, ".", "is not a directory"));
  const auto place = place_of(path);
  if (place != entries_.end() && place->first == path)
    return tl::unexpected(error(ErrorKind::input, path, "is there twice; remove one of them"));
  // A directory that entries need has one behind it; where this path is the last, only one that
  // was said on its own can have its name.
  const bool may_be_directory = place != entries_.end() || has_own_directories_;
  if (entry.kind != Entry::Kind::refused && may_be_directory && directories_.contains(path))
    return tl::unexpected(
        error(ErrorKind::input, path, "is both a file and a directory; remove one of them"));
  if (auto paid = charge(path, entry.bytes.size()); !paid) return paid;
  if (auto parents = need_directories(path); !parents) return parents;
  last_place_ = entries_.set_held(place, path, entry);
  return {};
}

bool is_recording(const Entries& entries) {
  return entries.contains("manifest.json") || has_directory(entries, "sys");
}

Entries without_common_directory(Entries entries) {
  if (entries.empty() || is_recording(entries)) return entries;
  const std::string_view first = entries.begin()->first;
  const std::size_t slash = first.find('/');
  if (slash == first.npos) return entries;
  const std::string top(first.substr(0, slash + 1));
  for (const auto& [path, entry] : entries)
    if (!path.starts_with(top)) return entries;
  if (!entries.contains(top + "manifest.json") && !has_directory(entries, top + "sys"))
    return entries;
  return moved_up(entries, entries.begin(), entries.end(), top.size());
}

Entries moved_up(const Entries& entries, Entries::const_iterator first,
                 Entries::const_iterator last, std::size_t prefix_bytes) {
  Entries inner;
  inner.hold_with(entries);
  for (; first != last; ++first)
    inner.set_held(inner.end(), first->first.substr(prefix_bytes), first->second);
  return inner;
}

Result<Recording> recording_of(Entries entries, const std::string& name) {
  Recording recording;
  recording.name = name;
  entries = without_common_directory(std::move(entries));
  if (const auto found = entries.find("manifest.json"); found != entries.end()) {
    if (found->second.kind != Entry::Kind::file)
      return fail(ErrorKind::input, name + ": manifest.json is not a readable file");
    auto manifest = parse_manifest(found->second.bytes);
    if (!manifest) return tl::unexpected(std::move(manifest.error()).because(name));
    recording.manifest = std::move(*manifest);
    entries.erase(found);
  }
  if (const auto found = entries.find("refused.json");
      found != entries.end() && found->second.kind == Entry::Kind::file) {
    auto refused = parse_refused(found->second.bytes);
    if (!refused) return tl::unexpected(std::move(refused.error()).because(name));
    entries.erase(found);
    for (auto& [path, why] : *refused) {
      if (entries.contains(path))
        return fail(ErrorKind::input, name + ": refused.json names " + quoted(path, 120) +
                                          ", which is there; remove one of them");
      entries.set(path, Entry::Kind::refused, std::move(why));
    }
  }
  recording.entries = std::move(entries);
  return recording;
}

}  // namespace railgauge::observe
