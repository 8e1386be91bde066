#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/descriptor.h"
#include "base/units.h"

namespace railgauge {
namespace {

// Signals that end a process wait until this goes away. kill -9 does not.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

tl::unexpected<Error> system_error(const std::string& doing, int code) {
  const ErrorKind kind = code == ENOENT || code == ENOTDIR ? ErrorKind::not_found
                         : code == EACCES || code == EPERM ? ErrorKind::permission
                                                           : ErrorKind::device;
  return fail(kind, doing + ": " + std::strerror(code));
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> read_descriptor(int descriptor, const std::string& name,
                                    std::uint64_t limit_bytes) {
  std::string bytes;
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot read " + name, errno);
    if (got == 0) return bytes;
    if (bytes.size() + static_cast<std::size_t>(got) > limit_bytes)
      return fail(ErrorKind::limit,
                  name + " is larger than " + text_of_bytes(limit_bytes) + ", the most we read");
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (file.value() < 0) return system_error("cannot open " + path.string(), errno);
  return read_descriptor(file.value(), path.string(), limit_bytes);
}

namespace {

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// A file that is there keeps its mode: it may have been made private on purpose.
mode_t mode_for(const std::filesystem::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? status.st_mode & 0777
                                                                        : usual_mode();
}

bool fill(int descriptor, mode_t mode, std::string_view bytes) {
  return ::fchmod(descriptor, mode) == 0 && write_all(descriptor, bytes) &&
         ::fsync(descriptor) == 0;
}

// Gives a file without a name its name. An existing target is replaced by way of a second name, by
// which time the file is whole.
bool name_it(int descriptor, const std::string& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) return false;
  const std::string second = path + "." + std::to_string(::getpid()) + ".new";
  ::unlink(second.c_str());
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, second.c_str(), AT_SYMLINK_FOLLOW) != 0)
    return false;
  if (::rename(second.c_str(), path.c_str()) == 0) return true;
  const int code = errno;
  ::unlink(second.c_str());
  errno = code;
  return false;
}

enum class Unnamed { done, failed, unsupported };

// A file without a name disappears with the process that made it, even on kill -9.
Unnamed write_unnamed(const std::filesystem::path& path, std::string_view bytes) {
  const std::string parent = path.has_parent_path() ? path.parent_path().string() : ".";
  const Descriptor file(::open(parent.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (!file.open())
    return errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL ? Unnamed::unsupported
                                                                     : Unnamed::failed;
  if (!fill(file.value(), mode_for(path), bytes)) return Unnamed::failed;
  if (name_it(file.value(), path.string())) return Unnamed::done;
  // Without /proc there is no way to name it.
  return errno == ENOENT || errno == EXDEV ? Unnamed::unsupported : Unnamed::failed;
}

}  // namespace

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const SignalsHeld held;  // a temporary file is renamed or removed before the process may be ended
  const auto failed = [&](int code) { return system_error("cannot write " + path.string(), code); };
  switch (write_unnamed(path, bytes)) {
    case Unnamed::done: return {};
    case Unnamed::failed: return failed(errno);
    case Unnamed::unsupported: break;  // NFS and some overlays
  }
  std::string temporary = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.open()) return failed(errno);
  if (fill(file.value(), mode_for(path), bytes) && ::close(file.release()) == 0 &&
      ::rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  const int code = errno;
  ::unlink(temporary.c_str());
  return failed(code);
}

}  // namespace railgauge
