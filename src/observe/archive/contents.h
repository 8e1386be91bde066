// What a directory or an archive holds, path by path, within bounds, before anybody has decided
// what it is: one recording, several, or loose texts.
//   Result<Entries> entries = library_entries(bytes, "host.tar.zst", bounds);
//   if (is_recording(*entries)) Result<Recording> r = recording_of(std::move(*entries), "host");
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.h"
#include "observe/archive/archive.h"
#include "observe/recording.h"

namespace railgauge::observe {

// By libarchive, which knows every dialect and says what is wrong; see also quick_tar.h.
// manifest.json and refused.json are still ordinary files in these.
Result<Entries> library_entries(std::string_view bytes, const std::string& name,
                                const ArchiveBounds& bounds);
Result<Entries> directory_entries(const std::filesystem::path& path, const ArchiveBounds& bounds);

// Holds manifest.json, or a sys/ tree.
bool is_recording(const Entries& entries);

// When everything lies in one directory which is a recording, that directory is taken away.
Entries without_common_directory(Entries entries);

// The entries from `first` to `last`, without the first bytes of their paths.
Entries moved_up(const Entries& entries, Entries::const_iterator first,
                 Entries::const_iterator last, std::size_t prefix_bytes);

// The manifest is parsed, refused.json becomes refused entries.
Result<Recording> recording_of(Entries entries, const std::string& name);

// Collects entries and stops at the bounds. Names, contents and directories all count, so that no
// input can take much more memory than `total_bytes`.
class Collector {
 public:
  Collector(std::string name, const ArchiveBounds& bounds)
      : name_(std::move(name)), bounds_(bounds) {}

  // Paths are those of entry_path(). A path that is there already is an error, and so is a file
  // where another entry needs a directory.
  Result<void> add(std::string path, Entry::Kind kind, std::string bytes);
  // The same where path and contents lie in bytes that are held.
  void hold(std::shared_ptr<const void> bytes) { entries_.hold(std::move(bytes)); }
  std::string_view hold(std::string text) { return entries_.hold(std::move(text)); }
  Result<void> add_held(std::string_view path, const Entry& entry);
  Result<void> add_directory(std::string_view path);

  bool contains(std::string_view path) const { return entries_.contains(path); }
  std::uint64_t bytes_left() const { return bounds_.total_bytes - used_bytes_; }
  std::uint64_t entries_left() const { return bounds_.entries - used_entries_; }
  Error error(ErrorKind kind, std::string_view path, const std::string& what) const;
  Error too_large(std::string_view path) const;
  Entries take() { return std::move(entries_); }

 private:
  Result<void> charge(std::string_view path, std::uint64_t bytes);
  Result<void> need_directories(std::string_view path);
  Result<void> add_held_directory(std::string_view path);
  Entries::const_iterator place_of(std::string_view path) const;

  std::string name_;
  ArchiveBounds bounds_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t used_entries_ = 0;
  Entries entries_;
  std::unordered_set<std::string_view> directories_;   // of paths that entries_ holds
  bool has_own_directories_ = false;                   // some were said, not only needed
  std::string_view last_parent_;                       // of the path before, with its '/'
  std::optional<Entries::const_iterator> last_place_;  // of the entry before
};

}  // namespace railgauge::observe
