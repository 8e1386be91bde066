#include "observe/archive/named_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "base/units.h"
#include "observe/archive/archive.h"
#include "observe/archive/descriptor.h"
#include "observe/archive/packing.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t enough_to_tell = 512;         // one tar block
constexpr std::size_t long_start_bytes = 1u << 20;  // what tells a long text
constexpr int forever = -1;

std::string words_of(int code) { return std::generic_category().message(code); }

class Stream {
 public:
  Stream(int descriptor, const std::string& name, const StreamBounds& bounds, int wait_ms)
      : descriptor_(descriptor), name_(name), bounds_(bounds), wait_ms_(wait_ms) {}

  // Reads before it polls: a pipe whose writer is gone already gives its rest and then the end.
  Result<std::string> all() {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) return cannot_read(errno);
    if (S_ISREG(info.st_mode)) stated_bytes_ = static_cast<std::uint64_t>(info.st_size);
    bool may_wait_for_writer = S_ISFIFO(info.st_mode) && wait_ms_ != forever;
    for (;;) {
      const ssize_t got = ::read(descriptor_, chunk_.data(), chunk_.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno != EAGAIN) return cannot_read(errno);
      if (got == 0 && !may_wait_for_writer) return std::move(bytes_);
      if (got <= 0) {
        if (auto ready = wait(); !ready) return tl::unexpected(std::move(ready.error()));
        if (got == 0) may_wait_for_writer = false;
        continue;
      }
      may_wait_for_writer = false;
      bytes_.append(chunk_.data(), static_cast<std::size_t>(got));
      const std::uint64_t limit = limit_bytes();
      if (taken_in_pieces()) continue;
      if (bytes_.size() > limit || (stated_bytes_ > limit && !may_be_taken()))
        return fail(ErrorKind::limit, name_ + " is larger than " + text_of_bytes(limit) +
                                          ", the most we read; cut out the part that matters");
    }
  }

 private:
  tl::unexpected<Error> cannot_read(int code) const {
    return fail(code == EACCES ? ErrorKind::permission : ErrorKind::input,
                "cannot read " + name_ + ": " + words_of(code));
  }

  Result<void> wait() const {
    pollfd poll{descriptor_, POLLIN, 0};
    int ready = 0;
    do ready = ::poll(&poll, 1, wait_ms_);
    while (ready < 0 && errno == EINTR);
    if (ready < 0) return cannot_read(errno);
    if (ready == 0)
      return fail(ErrorKind::limit, name_ + " is a pipe, and nothing came through it for " +
                                        std::to_string(wait_ms_ / 1000) +
                                        " s; start its writer first");
    return {};
  }

  std::uint64_t limit_bytes() {
    if (!told_ && bytes_.size() >= enough_to_tell) {
      told_ = true;
      packed_ = packing_of(bytes_) != Packing::none || looks_like_archive(bytes_);
    }
    return told_ && !packed_ ? bounds_.text_bytes : bounds_.archive_bytes;
  }

  // Whether somebody may still want a text of more than we hold.
  bool may_be_taken() const {
    return bounds_.long_text != nullptr && !asked_ && !packed_ && bytes_.size() < long_start_bytes;
  }

  // Gives away what is read, when the text is long and somebody wants it.
  bool taken_in_pieces() {
    if (!taken_) {
      if (bounds_.long_text == nullptr || asked_ || packed_ || bytes_.size() < long_start_bytes ||
          std::max<std::uint64_t>(stated_bytes_, bytes_.size()) < bounds_.long_bytes)
        return false;
      asked_ = true;
      taken_ = bounds_.long_text->wants(bytes_);
      if (!taken_) return false;
    }
    bounds_.long_text->take(bytes_);
    bytes_.clear();
    return true;
  }

  int descriptor_;
  const std::string& name_;
  const StreamBounds& bounds_;
  int wait_ms_;
  std::uint64_t stated_bytes_ = 0;
  bool told_ = false;
  bool packed_ = false;
  bool asked_ = false;
  bool taken_ = false;
  std::string bytes_;
  std::array<char, 65536> chunk_;
};

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISSOCK(mode)) return "a socket";
  return S_ISBLK(mode) ? "a block device" : "a character device";
}

}  // namespace

Result<std::string> read_named_file(const std::string& path, const StreamBounds& bounds) {
  // Looked at before it is opened, since opening a device can do things (rewind a tape).
  struct stat info {};
  const auto system_error = [&] {
    const int code = errno;
    return fail(code == EACCES || code == EPERM     ? ErrorKind::permission
                : code == ENOENT || code == ENOTDIR ? ErrorKind::not_found
                                                    : ErrorKind::input,
                "cannot open " + path + ": " + words_of(code));
  };
  if (::stat(path.c_str(), &info) != 0) return system_error();
  const auto readable = [](mode_t mode) { return S_ISREG(mode) || S_ISFIFO(mode); };
  const auto refused = [&] {
    return fail(ErrorKind::input, path + " is " + kind_of(info.st_mode) +
                                      "; name a file, a directory, an archive or - for standard "
                                      "input");
  };
  if (!readable(info.st_mode)) return refused();
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) return system_error();
  if (::fstat(file.value(), &info) != 0) return system_error();
  if (!readable(info.st_mode)) return refused();
  const int wait_ms = static_cast<int>(bounds.pipe_silence.count());
  return Stream(file.value(), path, bounds, wait_ms).all();
}

Result<std::string> read_standard_input(int descriptor, const std::string& name,
                                        const StreamBounds& bounds) {
  return Stream(descriptor, name, bounds, forever).all();
}

}  // namespace railgauge::observe
