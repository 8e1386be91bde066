// A directory into a map: no link is followed, no FIFO or device is opened, and what cannot be read
// is kept with the reason.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "observe/archive/archive.h"
#include "observe/archive/contents.h"
#include "observe/archive/descriptor.h"
#include "observe/archive/entry_path.h"

namespace railgauge::observe {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

std::string words_of(int code) { return std::generic_category().message(code); }

// Never waits: O_NONBLOCK returns at once for a FIFO that took the file's place meanwhile.
constexpr int how_to_open = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

const char* why_not_read(mode_t mode) {
  if (S_ISFIFO(mode)) return "a FIFO, which is not read";
  if (S_ISSOCK(mode)) return "a socket, which is not read";
  return "a device, which is not read";
}

// A name that recordings cannot hold, made fit to be reported: no odd bytes, not too long or deep.
std::string printable_path(std::string_view raw) {
  std::string path = valid_utf8(raw.substr(0, longest_path_bytes / 4));
  std::size_t depth = 1;
  for (char& c : path) {
    const bool too_deep = c == '/' && ++depth > deepest_path;
    if (too_deep || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return path;
}

class Walk {
 public:
  Walk(const std::string& name, const ArchiveBounds& bounds)
      : bounds_(bounds), collector_(name, bounds) {}

  Result<void> directory(Descriptor opened, const std::string& path) {
    auto names = names_in(std::move(opened), path);
    if (!names) return tl::unexpected(std::move(names.error()));
    for (const std::string& name : names->all) {
      const std::string raw = path.empty() ? name : path + "/" + name;
      const auto clean = entry_path(raw);
      auto taken = clean ? item(names->descriptor(), name, *clean)
                         : refuse(printable_path(raw), "its name " + clean.error().message);
      if (!taken) return taken;
    }
    return {};
  }

  Entries take() { return collector_.take(); }

 private:
  struct Names {
    std::unique_ptr<DIR, CloseDirectory> handle;
    std::vector<std::string> all;
    int descriptor() const { return ::dirfd(handle.get()); }
  };

  Result<void> refuse(const std::string& path, std::string why) {
    if (collector_.contains(path)) return {};  // two odd names that print alike
    return collector_.add(path, Entry::Kind::refused, std::move(why));
  }

  // Sorted, so that what a bound cuts off does not depend on the file system.
  Result<Names> names_in(Descriptor opened, const std::string& path) {
    Names names;
    names.handle.reset(::fdopendir(opened.value()));
    if (!names.handle) return fail(ErrorKind::device, path + ": " + words_of(errno));
    opened.release();  // closedir closes it
    while (const dirent* found = ::readdir(names.handle.get())) {
      const std::string_view name = found->d_name;
      if (name == "." || name == "..") continue;
      if (names.all.size() >= collector_.entries_left())
        return fail(ErrorKind::limit, "more than " + std::to_string(bounds_.entries) +
                                          " entries, the most we read; name a smaller directory");
      names.all.emplace_back(name);
    }
    std::sort(names.all.begin(), names.all.end());
    return names;
  }

  Result<void> item(int parent, const std::string& name, const std::string& path) {
    struct stat info {};
    if (::fstatat(parent, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
      return refuse(path, words_of(errno));
    if (S_ISLNK(info.st_mode)) return link(parent, name, path);
    if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
      return refuse(path, why_not_read(info.st_mode));
    const bool is_directory = S_ISDIR(info.st_mode);
    Descriptor opened(
        ::openat(parent, name.c_str(), how_to_open | (is_directory ? O_DIRECTORY : 0)));
    if (!opened) return refuse(path, words_of(errno));
    if (!is_directory) return file(opened, path);
    if (auto added = collector_.add_directory(path); !added) return added;
    return directory(std::move(opened), path);
  }

  Result<void> link(int parent, const std::string& name, const std::string& path) {
    std::array<char, longest_path_bytes + 1> target;
    const ssize_t size = ::readlinkat(parent, name.c_str(), target.data(), target.size());
    if (size < 0) return refuse(path, words_of(errno));
    std::string text(target.data(), static_cast<std::size_t>(size));
    if (const auto good = check_link_target(text); !good) return refuse(path, good.error().message);
    return collector_.add(path, Entry::Kind::link, std::move(text));
  }

  // The size that the file system states means nothing in /sys and /proc; the read is bounded.
  Result<void> file(const Descriptor& opened, const std::string& path) {
    struct stat info {};
    if (::fstat(opened.value(), &info) != 0) return refuse(path, words_of(errno));
    if (!S_ISREG(info.st_mode)) return refuse(path, why_not_read(info.st_mode));
    auto bytes = read_descriptor(opened.value(), path,
                                 std::min(bounds_.entry_bytes, collector_.bytes_left()));
    if (bytes) return collector_.add(path, Entry::Kind::file, std::move(*bytes));
    if (bytes.error().kind == ErrorKind::limit) return tl::unexpected(collector_.too_large(path));
    return refuse(path, bytes.error().message);
  }

  ArchiveBounds bounds_;
  Collector collector_;
};

}  // namespace

Result<Entries> directory_entries(const std::filesystem::path& path, const ArchiveBounds& bounds) {
  std::error_code ignored;
  if (std::filesystem::equivalent(path, "/", ignored))
    return fail(
        ErrorKind::usage,
        path.string() + " is this machine itself, not a recording; name no input to see it");
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened)
    return fail(errno == EACCES ? ErrorKind::permission : ErrorKind::not_found,
                "cannot open directory " + path.string() + ": " + words_of(errno));
  Walk walk(path.string(), bounds);
  if (auto walked = walk.directory(std::move(opened), ""); !walked)
    return tl::unexpected(std::move(walked.error()).because("reading " + path.string()));
  return walk.take();
}

Result<Recording> read_directory(const std::filesystem::path& path, const ArchiveBounds& bounds) {
  auto entries = directory_entries(path, bounds);
  if (!entries) return tl::unexpected(std::move(entries.error()));
  std::error_code ignored;
  const auto whole = std::filesystem::weakly_canonical(path, ignored);
  return recording_of(std::move(*entries), ignored ? path.string() : whole.filename().string());
}

}  // namespace railgauge::observe
