#include "observe/sysfs/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>

namespace railgauge::observe {
namespace {

tl::unexpected<Error> refused(int code) {
  const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::not_found
                         : code == EACCES || code == EPERM ? ErrorKind::permission
                                                           : ErrorKind::device;
  return fail(kind, std::strerror(code));
}

// Reading may fail although opening did not: sysfs answers "Invalid argument" for a speed that a
// link which is down does not have.
Result<std::string> read_up_to(int descriptor, std::size_t limit_bytes) {
  std::string bytes;
  std::array<char, 4096> page;  // one attribute fills at most this on most kernels
  while (bytes.size() < limit_bytes) {
    const std::size_t want = std::min(page.size(), limit_bytes - bytes.size());
    const ssize_t got = ::read(descriptor, page.data(), want);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused(errno);
    if (got == 0) break;
    bytes.append(page.data(), static_cast<std::size_t>(got));
  }
  return bytes;
}

}  // namespace

Directory::~Directory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<Directory> Directory::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return refused(errno);
  return Directory(descriptor, path.string());
}

Result<Directory> Directory::enter(const std::string& name, int flags) const {
  const int inner = ::openat(descriptor_, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
  if (inner < 0) return refused(errno);
  return Directory(inner, path_ + "/" + name);
}

Result<Directory> Directory::inside(const std::string& name) const {
  return enter(name, O_NOFOLLOW);
}

Result<Directory> Directory::through(const std::string& name) const { return enter(name, 0); }

std::vector<std::string> Directory::names() const {
  std::vector<std::string> out;
  const int again = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return out;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(again), ::closedir);
  if (!stream) {
    ::close(again);
    return out;
  }
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") out.push_back(name);
    if (out.size() == max_names) break;
  }
  std::sort(out.begin(), out.end());
  return out;
}

Result<int> Directory::open_file(const std::string& name) const {
  const int file = ::openat(descriptor_, name.c_str(),
                            O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return refused(errno);
  return file;
}

Result<std::string> Directory::read(const std::string& name) const {
  auto bytes = read_start(name, attribute_bytes + 1);
  if (bytes && bytes->size() > attribute_bytes)
    return fail(ErrorKind::limit, "larger than 64 KiB, which no attribute is");
  return bytes;
}

Result<std::string> Directory::read_start(const std::string& name, std::size_t limit_bytes) const {
  const Result<int> file = open_file(name);
  if (!file) return tl::unexpected(file.error());
  auto bytes = read_up_to(*file, limit_bytes);
  ::close(*file);
  return bytes;
}

Result<std::string> Directory::read_at(const std::string& name, std::size_t offset,
                                       std::size_t bytes) const {
  const Result<int> file = open_file(name);
  if (!file) return tl::unexpected(file.error());
  const bool there = ::lseek(*file, static_cast<off_t>(offset), SEEK_SET) >= 0;
  Result<std::string> out = there ? read_up_to(*file, bytes) : refused(errno);
  ::close(*file);
  return out;
}

Result<std::string> Directory::link(const std::string& name) const {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlinkat(descriptor_, name.c_str(), target.data(), target.size());
  if (length < 0) return refused(errno);
  return std::string(target.data(), static_cast<std::size_t>(length));
}

}  // namespace railgauge::observe
