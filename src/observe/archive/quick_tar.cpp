#include "observe/archive/quick_tar.h"

#include <algorithm>
#include <cstring>

#include "observe/archive/entry_path.h"
#include "observe/archive/packing.h"

namespace railgauge::observe {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t block_bytes = 512;
constexpr std::size_t used_header_bytes = 345;  // GNU's and ustar's further fields are not ours
constexpr std::size_t longest_name_record = longest_path_bytes + 1;  // with its NUL
// Held in one piece. Twenty times a large server's recording; more goes the long way, bit by bit.
constexpr std::uint64_t most_plain_bytes = 64u << 20;
// How far the other way looks behind the end mark.
constexpr std::size_t most_behind_end = 3u << 20;

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
    if (!all_zeros(used_header_bytes)) return false;
    const bool owned = octal(100, 8) && octal(108, 8) && octal(116, 8);  // mode, user, group
    if (!owned || !octal(136, 12) || !no_device(329) || !no_device(337)) return false;
    const auto stated = octal(148, 8);
    std::uint32_t sum = sum_of_used_bytes();
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

  // Eight bytes at a time, in lanes of 16 bits: 43 times two bytes fit in one.
  std::uint32_t sum_of_used_bytes() const {
    constexpr std::uint64_t low_bytes = 0x00ff00ff00ff00ff;
    constexpr std::size_t whole = used_header_bytes / 8;
    static_assert(whole * 2 * 255 <= 0xffff && used_header_bytes % 8 == 1);
    std::uint64_t lanes = 0;
    for (std::size_t i = 0; i < whole; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, block_.data() + 8 * i, 8);
      lanes += (word & low_bytes) + ((word >> 8) & low_bytes);
    }
    std::uint32_t sum = static_cast<unsigned char>(block_[used_header_bytes - 1]);
    for (; lanes != 0; lanes >>= 16) sum += lanes & 0xffff;
    return sum;
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
    for (; digits < width; ++digits)
      if (field[digits] != '\0' && field[digits] != ' ') return std::nullopt;
    return value;
  }

  std::string_view block_;
};

class QuickTar {
 public:
  QuickTar(UnpackRoom::Plain plain, const std::string& name, const ArchiveBounds& bounds,
           bool packed)
      : rest_(plain.bytes), bounds_(bounds), packed_(packed), collector_(name, bounds) {
    collector_.hold(std::move(plain.hold));
  }

  std::optional<Entries> all() {
    while (rest_.size() >= block_bytes) {
      const Header header(rest_.data());
      if (rest_[0] == '\0') {
        if (!header.is_zeros() || !long_name_.empty() || !long_link_.empty()) return std::nullopt;
        return ends_well() ? std::optional(collector_.take()) : std::nullopt;
      }
      rest_.remove_prefix(block_bytes);
      if (!header.is_plain() || !one(header)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  bool one(const Header& header) {
    const auto size = header.size();
    if (!size) return false;
    const char type = header.type();
    if (type == 'L' || type == 'K') {
      auto& record = type == 'L' ? long_name_ : long_link_;
      return header.is_gnu() && record.empty() && *size <= longest_name_record &&
             long_text(*size, record);
    }
    const std::string_view raw = long_name_.empty() ? header.name() : long_name_;
    const std::string_view target = long_link_.empty() ? header.link() : long_link_;
    long_name_ = long_link_ = {};
    if (raw.empty()) return false;
    if (raw.back() == '/' && type != '5') return false;  // to libarchive a directory all the same
    if (type != '2' && !target.empty()) return false;
    if (type != '0' && *size != 0) return false;
    const auto path = path_of(raw);
    if (!path) return false;
    if (type == '0') return file(*path, *size);
    if (type == '5') return bool(collector_.add_directory(*path));
    return type == '2' && check_link_target(target) &&
           collector_.add_held(*path, {Entry::Kind::link, target});
  }

  // The path as the one rule has it, held. Nearly always the next name in the directory of the
  // entry before, and then only that name is looked at.
  std::optional<std::string_view> path_of(std::string_view raw) {
    if (!directory_.empty() && raw.size() <= longest_path_bytes && raw.starts_with(directory_) &&
        is_plain_name(raw.substr(directory_.size())))
      return raw;
    auto path = entry_path(raw);
    if (!path) return std::nullopt;
    const std::string_view held = *path == raw ? raw : collector_.hold(std::move(*path));
    directory_ = held.substr(0, held.rfind('/') + 1);
    return held;
  }

  bool file(std::string_view path, std::uint64_t size) {
    if (size > std::min(bounds_.entry_bytes, collector_.bytes_left())) return false;
    const auto bytes = body(size);
    return bytes && collector_.add_held(path, {Entry::Kind::file, *bytes});
  }

  // Data; what fills its last block is passed over.
  std::optional<std::string_view> body(std::uint64_t size) {
    const std::uint64_t fill = (block_bytes - size % block_bytes) % block_bytes;
    if (rest_.size() < size + fill) return std::nullopt;
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size + fill);
    return bytes;
  }

  // A long name is written with one NUL behind it, or none.
  bool long_text(std::uint64_t size, std::string_view& record) {
    const auto bytes = body(size);
    if (!bytes) return false;
    record = *bytes;
    if (record.ends_with('\0')) record.remove_suffix(1);
    return !record.empty() && record.find('\0') == record.npos;
  }

  // Behind the end mark packed bytes may hold anything that is not too long; plain ones zeros.
  bool ends_well() const {
    if (packed_) return rest_.size() <= most_behind_end;
    return std::all_of(rest_.begin(), rest_.end(), [](char c) { return c == '\0'; });
  }

  std::string_view rest_;
  ArchiveBounds bounds_;
  bool packed_;
  Collector collector_;
  std::string_view directory_;  // of a path that was found good, with its '/'
  std::string_view long_name_;  // said before the header that they belong to
  std::string_view long_link_;
};

}  // namespace

std::optional<Entries> quick_tar_entries(std::string_view bytes, const std::string& name,
                                         const ArchiveBounds& bounds, UnpackRoom& room) {
  if (is_zip(bytes)) return std::nullopt;
  const std::uint64_t most = std::min(2 * bounds.total_bytes + (60u << 20), most_plain_bytes);
  auto plain = room.unpacked(bytes, static_cast<std::size_t>(most));
  if (!plain) return std::nullopt;
  return QuickTar(std::move(*plain), name, bounds, packing_of(bytes) != Packing::none).all();
}

}  // namespace railgauge::observe
