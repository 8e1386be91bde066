#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/units.h"

namespace railgauge {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int value() const { return value_; }
  int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

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

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const SignalsHeld held;  // a temporary file is renamed or removed before the process may be ended
  std::string temporary = path.string() + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.value() < 0) return system_error("cannot write " + path.string(), errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool written = ::fchmod(file.value(), 0666 & ~mask) == 0 &&
                       write_all(file.value(), bytes) && ::fsync(file.value()) == 0 &&
                       ::close(file.release()) == 0 &&
                       ::rename(temporary.c_str(), path.c_str()) == 0;
  if (written) return {};
  const int code = errno;
  ::unlink(temporary.c_str());
  return system_error("cannot write " + path.string(), code);
}

}  // namespace railgauge
