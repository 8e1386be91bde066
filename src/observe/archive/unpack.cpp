// An archive in memory, entry by entry, into a map. Nothing touches the disk; links stay text.
#include <archive_entry.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/archive.h"
#include "observe/archive/contents.h"
#include "observe/archive/entry_path.h"
#include "observe/archive/packing.h"

namespace railgauge::observe {
namespace {

constexpr const char* copy_again = "; the archive is cut or damaged, copy it again";

// Names are taken as bytes; where libarchive can only give UTF-8 (it keeps what it cannot convert
// to the locale), that.
std::string name_of(::archive_entry* entry) {
  if (const char* name = ::archive_entry_pathname(entry)) return name;
  if (const char* name = ::archive_entry_pathname_utf8(entry)) return name;
  return {};
}

std::string link_of(::archive_entry* entry) {
  if (const char* target = ::archive_entry_symlink(entry)) return target;
  if (const char* target = ::archive_entry_symlink_utf8(entry)) return target;
  return {};
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
  Unpacking(::archive* reader, const std::string& name, const ArchiveBounds& bounds)
      : reader_(reader), name_(name), bounds_(bounds), collector_(name, bounds) {}

  Result<Entries> all() {
    for (;;) {
      ::archive_entry* entry = nullptr;
      const int status = ::archive_read_next_header(reader_, &entry);
      if (status == ARCHIVE_EOF) return collector_.take();
      if (status < ARCHIVE_WARN) return damaged();
      if (auto taken = take(entry); !taken) return tl::unexpected(std::move(taken.error()));
      // Headers that say much and hold nothing count as well.
      if (static_cast<std::uint64_t>(std::max<la_int64_t>(0, ::archive_filter_bytes(reader_, 0))) >
          2 * bounds_.total_bytes + (64u << 20))
        return fail(ErrorKind::limit, name_ + " unpacks to more than " +
                                          text_of_bytes(2 * bounds_.total_bytes) +
                                          ", the most we read");
    }
  }

 private:
  tl::unexpected<Error> damaged() const {
    const std::string where = last_.empty() ? "" : " after entry " + quoted(last_, 120);
    return fail(ErrorKind::input, name_ + where + ": " + words_of(reader_) + copy_again);
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
    return collector_.add(*path, Entry{Entry::Kind::link, std::move(target)});
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
      const la_ssize_t got = ::archive_read_data(reader_, chunk.data(), chunk.size());
      if (got < 0)
        return tl::unexpected(collector_.error(
            ErrorKind::input, path, "cannot be read: " + words_of(reader_) + copy_again));
      if (got == 0) return collector_.add(path, Entry{Entry::Kind::file, std::move(bytes)});
      if (bytes.size() + static_cast<std::size_t>(got) > limit)
        return tl::unexpected(collector_.too_large(path));
      bytes.append(chunk.data(), static_cast<std::size_t>(got));
    }
  }

  ::archive* reader_;
  std::string name_;
  ArchiveBounds bounds_;
  Collector collector_;
  std::string last_;
};

}  // namespace

Result<Entries> unpack_entries(std::string_view bytes, const std::string& name,
                               const ArchiveBounds& bounds) {
  if (bytes.empty()) return fail(ErrorKind::input, name + " is empty");
  if (packing_of(bytes) == Packing::none && !looks_like_archive(bytes))
    return fail(ErrorKind::input,
                name + " is not an archive we read (tar, also with zstd, gzip or xz; zip)");
  const auto reader = open_reader(bytes, name, Inside::archive);
  if (!reader) return tl::unexpected(reader.error());
  // Compressed archives end with a mark of their own; a plain one may be cut between two entries.
  if (packing_of(bytes) == Packing::none && !is_zip(bytes) && !has_tar_end(bytes))
    return fail(ErrorKind::input, name + " ends without its end mark" + copy_again);
  return Unpacking(reader->get(), name, bounds).all();
}

Result<Recording> unpack(std::string_view bytes, const std::string& name,
                         const ArchiveBounds& bounds) {
  auto entries = unpack_entries(bytes, name, bounds);
  if (!entries) return tl::unexpected(std::move(entries.error()));
  return recording_of(std::move(*entries), name);
}

}  // namespace railgauge::observe
