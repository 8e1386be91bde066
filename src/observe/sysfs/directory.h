// One directory of a live file tree, opened once; what lies in it is read relative to it.
//   Result<Directory> node = Directory::open(root.prefix / "sys/devices/system/node");
//   for (const auto& name : node->names()) if (auto inner = node->inside(name)) …
// Cheap on purpose: one open and one read a file, no stat. Never blocks on a pipe, never follows a
// link unless asked to, and never reads more than the limit.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace railgauge::observe {

class Directory {
 public:
  // The largest text attribute we keep. The kernel's own limit is one page (4 KiB, 64 KiB on some
  // ARM and POWER kernels).
  static constexpr std::uint64_t attribute_bytes = 64 << 10;
  // More names in one directory than any machine has; the rest is not looked at.
  static constexpr std::size_t max_names = 65536;

  static Result<Directory> open(const std::filesystem::path& path);
  Directory(Directory&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  Directory& operator=(Directory&&) = delete;
  Directory(const Directory&) = delete;
  ~Directory();

  // A directory in this one. `inside` refuses a symbolic link, `through` follows it.
  Result<Directory> inside(const std::string& name) const;
  Result<Directory> through(const std::string& name) const;

  // Everything in it, sorted, without "." and "..".
  std::vector<std::string> names() const;

  // The whole file, or an error of kind limit.
  Result<std::string> read(const std::string& name) const;
  // At most `limit_bytes` from the start of the file; more than that is left unread.
  Result<std::string> read_start(const std::string& name, std::size_t limit_bytes) const;
  // Exactly `bytes` from `offset`; fewer at the end of the file.
  Result<std::string> read_at(const std::string& name, std::size_t offset, std::size_t bytes) const;
  // The text of a symbolic link.
  Result<std::string> link(const std::string& name) const;

 private:
  Directory(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  Result<Directory> enter(const std::string& name, int flags) const;
  Result<int> open_file(const std::string& name) const;

  int descriptor_;
  std::string path_;
};

}  // namespace railgauge::observe
