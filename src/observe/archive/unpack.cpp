// An archive in memory, entry by entry, into a map. Nothing touches the disk; links stay text.
#include <archive_entry.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/archive.h"
#include "observe/archive/archive_stream.h"
#include "observe/archive/contents.h"
#include "observe/archive/entry_path.h"
#include "observe/archive/packing.h"
#include "observe/archive/quick_tar.h"
#include "observe/archive/utf8_locale.h"

namespace railgauge::observe {
namespace {

constexpr const char* copy_again = "; the archive is cut or damaged, copy it again";

// Names are taken as bytes. What libarchive has as Unicode only and cannot say in the locale's
// characters comes back missing: then as UTF-8.
std::string name_of(::archive_entry* entry) {
  const char* name = ::archive_entry_pathname(entry);
  if (name == nullptr) name = ::archive_entry_pathname_utf8(entry);
  return name == nullptr ? std::string() : name;
}

std::string link_of(::archive_entry* entry) {
  const char* target = ::archive_entry_symlink(entry);
  if (target == nullptr) target = ::archive_entry_symlink_utf8(entry);
  return target == nullptr ? std::string() : target;
}

const char* kind_of(unsigned type) {
  switch (type) {
    case AE_IFIFO: return "a FIFO";
    case AE_IFSOCK: return "a socket";
    case AE_IFCHR: return "a character device";
    case AE_IFBLK: return "a block device";
    default: return "of an unknown kind";
  }
}

// POSIX: a tar file ends with blocks of zeros.
bool has_tar_end(std::string_view bytes) {
  const std::string_view last =
      bytes.substr(bytes.size() - std::min<std::size_t>(512, bytes.size()));
  return bytes.size() % 512 != 0 ||
         std::all_of(last.begin(), last.end(), [](char c) { return c == 0; });
}

class Unpacking {
 public:
  Unpacking(ArchiveStream& stream, const std::string& name, const ArchiveBounds& bounds)
      : stream_(stream), name_(name), bounds_(bounds), collector_(name, bounds) {}

  Result<Entries> all() {
    for (;;) {
      ::archive_entry* entry = nullptr;
      const int status = stream_.next_header(&entry);
      if (status == ARCHIVE_EOF) return finish();
      if (status < ARCHIVE_WARN) return damaged();
      if (auto taken = take(entry); !taken) return tl::unexpected(std::move(taken.error()));
      // Headers that say much and hold nothing count as well.
      if (stream_.unpacked_bytes() > 2 * bounds_.total_bytes + (64u << 20))
        return fail(ErrorKind::limit, name_ + " unpacks to more than " +
                                          text_of_bytes(2 * bounds_.total_bytes) +
                                          ", the most we read");
    }
  }

 private:
  Result<Entries> finish() {
    if (stream_.ends_undamaged()) return collector_.take();
    return fail(ErrorKind::input, name_ + " ends too early" + copy_again);
  }

  tl::unexpected<Error> damaged() const {
    const std::string where = last_.empty() ? "" : " after entry " + quoted(last_, 120);
    return fail(ErrorKind::input, name_ + where + ": " + stream_.words() + copy_again);
  }

  Result<void> take(::archive_entry* entry) {
    const std::string raw = name_of(entry);
    const auto refuse = [&](ErrorKind kind, const std::string& what) {
      return tl::unexpected(collector_.error(kind, raw, what));
    };
    const auto path = entry_path(raw);
    if (!path) return refuse(path.error().kind, path.error().message);
    last_ = *path;
    if (::archive_entry_is_encrypted(entry) > 0)
      return refuse(ErrorKind::input, "is encrypted; pack it again without a password");
    if (::archive_entry_hardlink(entry) != nullptr ||
        ::archive_entry_hardlink_utf8(entry) != nullptr)
      return refuse(ErrorKind::input, "is a hard link; pack it again with tar --hard-dereference");
    const unsigned type = ::archive_entry_filetype(entry);
    if (type == AE_IFDIR) return collector_.add_directory(*path);
    if (type == AE_IFREG) return take_file(*path, entry);
    if (type != AE_IFLNK)
      return refuse(ErrorKind::input, std::string("is ") + kind_of(type) + "; leave it out");
    std::string target = link_of(entry);
    if (const auto good = check_link_target(target); !good)
      return refuse(good.error().kind, good.error().message);
    return collector_.add(*path, Entry::Kind::link, std::move(target));
  }

  Result<void> take_file(const std::string& path, ::archive_entry* entry) {
    const std::uint64_t limit = std::min(bounds_.entry_bytes, collector_.bytes_left());
    std::string bytes;
    if (::archive_entry_size_is_set(entry)) {
      const la_int64_t size = ::archive_entry_size(entry);
      if (size < 0 || static_cast<std::uint64_t>(size) > limit)
        return tl::unexpected(collector_.too_large(path));
      bytes.reserve(static_cast<std::size_t>(size));
    }
    std::array<char, 65536> chunk;
    for (;;) {
      const la_ssize_t got = stream_.read_data(chunk.data(), chunk.size());
      if (got < 0)
        return tl::unexpected(collector_.error(ErrorKind::input, path,
                                               "cannot be read: " + stream_.words() + copy_again));
      if (got == 0) break;
      if (bytes.size() + static_cast<std::size_t>(got) > limit)
        return tl::unexpected(collector_.too_large(path));
      bytes.append(chunk.data(), static_cast<std::size_t>(got));
    }
    // libarchive leaves a hole at the end of a sparse file out.
    if (::archive_entry_size_is_set(entry) &&
        bytes.size() != static_cast<std::uint64_t>(::archive_entry_size(entry)))
      return tl::unexpected(collector_.error(
          ErrorKind::input, path, "is shorter than it says; pack it again without --sparse"));
    return collector_.add(path, Entry::Kind::file, std::move(bytes));
  }

  ArchiveStream& stream_;
  std::string name_;
  ArchiveBounds bounds_;
  Collector collector_;
  std::string last_;
};

}  // namespace

Result<Entries> library_entries(std::string_view bytes, const std::string& name,
                                const ArchiveBounds& bounds) {
  if (bytes.empty()) return fail(ErrorKind::input, name + " is empty");
  if (packing_of(bytes) == Packing::none && !looks_like_archive(bytes))
    return fail(ErrorKind::input,
                name + " is not an archive we read (tar, also with zstd, gzip or xz; zip)");
  const Utf8Locale names_are_utf8;
  const auto stream = ArchiveStream::open(bytes, name);
  if (!stream) return tl::unexpected(stream.error());
  // Compressed archives end with a mark of their own; a plain one may be cut between two entries.
  if (packing_of(bytes) == Packing::none && !is_zip(bytes) && !has_tar_end(bytes))
    return fail(ErrorKind::input, name + " ends without its end mark" + copy_again);
  return Unpacking(**stream, name, bounds).all();
}

Result<Recording> unpack(std::string_view bytes, const std::string& name,
                         const ArchiveBounds& bounds) {
  UnpackRoom room;
  if (auto quick = quick_tar_entries(bytes, name, bounds, room))
    return recording_of(std::move(*quick), name);
  auto entries = library_entries(bytes, name, bounds);
  if (!entries) return tl::unexpected(std::move(entries.error()));
  return recording_of(std::move(*entries), name);
}

}  // namespace railgauge::observe
