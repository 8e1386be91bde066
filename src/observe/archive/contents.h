// What a directory or an archive holds, path by path, within bounds, before anybody has decided
// what it is: one recording, several, or loose texts.
//   Result<Entries> entries = unpack_entries(bytes, "host.tar.zst", bounds);
//   if (is_recording(*entries)) Result<Recording> r = recording_of(std::move(*entries), "host");
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.h"
#include "observe/archive/archive.h"
#include "observe/recording.h"

namespace railgauge::observe {

using Entries = std::map<std::string, Entry>;

// manifest.json and refused.json are still ordinary files in these.
Result<Entries> unpack_entries(std::string_view bytes, const std::string& name,
                               const ArchiveBounds& bounds);
// The same by libarchive alone, which knows every dialect and says what is wrong.
Result<Entries> library_entries(std::string_view bytes, const std::string& name,
                                const ArchiveBounds& bounds);
Result<Entries> directory_entries(const std::filesystem::path& path, const ArchiveBounds& bounds);

// Holds manifest.json, or a sys/ tree.
bool is_recording(const Entries& entries);

// When everything lies in one directory which is a recording, that directory is taken away.
Entries without_common_directory(Entries entries);

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
  Result<void> add(std::string path, Entry entry);
  Result<void> add_directory(const std::string& path);

  bool contains(const std::string& path) const { return entries_.contains(path); }
  std::uint64_t bytes_left() const { return bounds_.total_bytes - used_bytes_; }
  std::uint64_t entries_left() const { return bounds_.entries - used_entries_; }
  Error error(ErrorKind kind, std::string_view path, const std::string& what) const;
  Error too_large(std::string_view path) const;
  Entries take() { return std::move(entries_); }

 private:
  Result<void> charge(std::string_view path, std::uint64_t bytes);
  Result<void> need_directories(std::string_view path);
  Entries::iterator place_of(const std::string& path);

  std::string name_;
  ArchiveBounds bounds_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t used_entries_ = 0;
  Entries entries_;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> directories_;
};

}  // namespace railgauge::observe
