#include "observe/archive/quick_tar.h"

#include <algorithm>
#include <cstring>

#include "observe/archive/entry_path.h"
#include "observe/archive/packing.h"
#include "observe/archive/unpacked_bytes.h"

namespace railgauge::observe {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t block_bytes = 512;
constexpr std::size_t longest_name_record = longest_path_bytes + 1;  // with its NUL

// One header block; field places of POSIX ustar and GNU tar.
class Header {
 public:
  explicit Header(const char* block) : block_(block, block_bytes) {}

  bool is_zeros() const { return all_zeros(0); }
  bool is_gnu() const { return block_.substr(257, 8) == "ustar  \0"sv; }

  // A dialect we know, nothing in the places where dialects differ, numbers where libarchive looks
  // for them, and an undamaged checksum.
  bool is_plain() const {
    if (!is_gnu() && block_.substr(257, 8) != "ustar\00000"sv) return false;
    if (!all_zeros(345)) return false;
    const bool owned = octal(100, 8) && octal(108, 8) && octal(116, 8);  // mode, user, group
    if (!owned || !octal(136, 12) || !no_device(329) || !no_device(337)) return false;
    const auto stated = octal(148, 8);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < block_bytes; ++i) sum += static_cast<unsigned char>(block_[i]);
    for (const char c : block_.substr(148, 8)) sum -= static_cast<unsigned char>(c);
    return stated && *stated == sum + 8 * ' ';
  }

  char type() const { return block_[156]; }
  std::string_view name() const { return text(0, 100); }
  std::string_view link() const { return text(157, 100); }
  std::optional<std::uint64_t> size() const { return octal(124, 12); }

 private:
  bool all_zeros(std::size_t from) const {
    static constexpr char zeros[block_bytes] = {};
    return std::memcmp(block_.data() + from, zeros, block_bytes - from) == 0;
  }

  std::string_view text(std::size_t at, std::size_t longest) const {
    const std::string_view field = block_.substr(at, longest);
    return field.substr(0, field.find('\0'));
  }

  // A device's number, major or minor: 0, or not filled in.
  bool no_device(std::size_t at) const {
    return block_.substr(at, 8) == std::string_view("\0\0\0\0\0\0\0", 8) || octal(at, 8) == 0u;
  }

  // Octal digits, then NULs or blanks, at least one; anything else is not ours.
  std::optional<std::uint64_t> octal(std::size_t at, std::size_t width) const {
    const std::string_view field = block_.substr(at, width);
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < width && field[digits] >= '0' && field[digits] <= '7'; ++digits)
      value = value * 8 + static_cast<std::uint64_t>(field[digits] - '0');
    if (digits == 0 || digits == width) return std::nullopt;
    if (field.find_first_not_of("\0 "sv, digits) != field.npos) return std::nullopt;
    return value;
  }

  std::string_view block_;
};

class QuickTar {
 public:
  QuickTar(std::string_view bytes, const std::string& name, const ArchiveBounds& bounds)
      : from_(bytes),
        bounds_(bounds),
        most_unpacked_bytes_(2 * bounds.total_bytes + (60u << 20)),
        collector_(name, bounds) {}

  std::optional<Entries> all() {
    for (;;) {
      const char* block = from_.need(block_bytes);
      if (block == nullptr || from_.unpacked_bytes() > most_unpacked_bytes_) return std::nullopt;
      const Header header(block);
      if (block[0] == '\0') {
        if (!header.is_zeros() || long_name_ || long_link_) return std::nullopt;
        // What follows the end mark is looked through as far as the other way looks.
        if (!from_.ends_well(from_.unpacked_bytes() + (3u << 20))) return std::nullopt;
        return collector_.take();
      }
      if (!header.is_plain() || !one(header)) return std::nullopt;
    }
  }

 private:
  bool one(const Header& header) {
    const auto size = header.size();
    if (!size) return false;
    const char type = header.type();
    if (type == 'L' || type == 'K') {
      auto& record = type == 'L' ? long_name_ : long_link_;
      return header.is_gnu() && !record && *size <= longest_name_record && long_text(*size, record);
    }
    const std::string_view raw = long_name_ ? std::string_view(*long_name_) : header.name();
    if (raw.empty()) return false;
    if (raw.back() == '/' && type != '5') return false;  // to libarchive a directory all the same
    auto path = entry_path(raw);
    if (!path) return false;
    std::string target(long_link_ ? std::string_view(*long_link_) : header.link());
    if (type != '2' && !target.empty()) return false;
    if (type != '0' && *size != 0) return false;
    from_.take(block_bytes);
    long_name_.reset();
    long_link_.reset();
    if (type == '0') return file(std::move(*path), *size);
    if (type == '5') return bool(collector_.add_directory(*path));
    return type == '2' && check_link_target(target) &&
           collector_.add(std::move(*path), Entry{Entry::Kind::link, std::move(target)});
  }

  bool file(std::string path, std::uint64_t size) {
    if (size > std::min(bounds_.entry_bytes, collector_.bytes_left())) return false;
    Entry entry;
    entry.bytes.reserve(static_cast<std::size_t>(size));
    return body(entry.bytes, size) && collector_.add(std::move(path), std::move(entry));
  }

  // Data and what fills its last block.
  bool body(std::string& to, std::uint64_t size) {
    const std::size_t fill = (block_bytes - size % block_bytes) % block_bytes;
    if (!from_.append_to(to, static_cast<std::size_t>(size))) return false;
    if (from_.need(fill) == nullptr) return false;
    from_.take(fill);
    return true;
  }

  // A long name is written with one NUL behind it, or none.
  bool long_text(std::uint64_t size, std::optional<std::string>& record) {
    from_.take(block_bytes);
    record.emplace();
    if (!body(*record, size)) return false;
    if (record->ends_with('\0')) record->pop_back();
    return !record->empty() && record->find('\0') == record->npos;
  }

  UnpackedBytes from_;
  ArchiveBounds bounds_;
  std::uint64_t most_unpacked_bytes_;
  Collector collector_;
  std::optional<std::string> long_name_;  // said before the header that they belong to
  std::optional<std::string> long_link_;
};

}  // namespace

std::optional<Entries> quick_tar_entries(std::string_view bytes, const std::string& name,
                                         const ArchiveBounds& bounds) {
  if (is_zip(bytes)) return std::nullopt;
  const Packing packing = packing_of(bytes);
  if (packing != Packing::none && packing != Packing::zstd) return std::nullopt;
  return QuickTar(bytes, name, bounds).all();
}

}  // namespace railgauge::observe
