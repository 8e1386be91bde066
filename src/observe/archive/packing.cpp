#include "observe/archive/packing.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/archive.h"

namespace railgauge::observe {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t tar_block_bytes = 512;
constexpr std::size_t checksum_at = 148;  // POSIX ustar: 8 bytes, octal, counted as blanks
constexpr std::size_t magic_at = 257;

// Old tar files have no magic; the checksum of the header tells them from any text.
bool is_tar_block(std::string_view block) {
  if (block.size() < tar_block_bytes || block[0] == '\0') return false;
  if (block.substr(magic_at, 5) == "ustar") return true;
  unsigned sum = 0;
  for (std::size_t i = 0; i < tar_block_bytes; ++i)
    sum += i >= checksum_at && i < checksum_at + 8 ? ' ' : static_cast<unsigned char>(block[i]);
  unsigned stated = 0;
  for (const char c : block.substr(checksum_at, 8)) {
    if (c == ' ' || c == '\0') continue;
    if (c < '0' || c > '7') return false;
    stated = stated * 8 + static_cast<unsigned>(c - '0');
  }
  return stated == sum;
}

int filter_of(Packing packing) {
  switch (packing) {
    case Packing::gzip: return ARCHIVE_FILTER_GZIP;
    case Packing::zstd: return ARCHIVE_FILTER_ZSTD;
    case Packing::xz: return ARCHIVE_FILTER_XZ;
    case Packing::none: break;
  }
  return ARCHIVE_FILTER_NONE;
}

const char* words_for(Packing packing) {
  switch (packing) {
    case Packing::gzip: return "gzip";
    case Packing::zstd: return "zstd";
    case Packing::xz: return "xz";
    case Packing::none: break;
  }
  return "plain";
}

tl::unexpected<Error> damaged_data(const std::string& name, Packing packing) {
  return fail(ErrorKind::input, name + " cannot be unpacked: its " + words_for(packing) +
                                    " data is empty, cut or damaged; copy it again");
}

// The first bytes of a compressed text, or fewer when it is damaged.
std::string first_block(std::string_view bytes) {
  const auto reader = open_reader(bytes, {}, Inside::one_text);
  ::archive_entry* entry = nullptr;
  std::string block(tar_block_bytes, '\0');
  if (!reader || ::archive_read_next_header(reader->get(), &entry) < ARCHIVE_WARN) return {};
  const la_ssize_t got = ::archive_read_data(reader->get(), block.data(), block.size());
  block.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return block;
}

}  // namespace

Packing packing_of(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b"sv)) return Packing::gzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return Packing::zstd;
  if (bytes.starts_with("\xfd"
                        "7zXZ\0"sv))
    return Packing::xz;
  return Packing::none;
}

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04"sv) || bytes.starts_with("PK\x05\x06"sv);
}

bool looks_like_archive(std::string_view bytes) {
  if (packing_of(bytes) == Packing::none) return is_zip(bytes) || is_tar_block(bytes);
  return is_tar_block(first_block(bytes));
}

std::string words_of(::archive* handle) {
  const char* words = ::archive_error_string(handle);
  return words == nullptr ? "damaged" : valid_utf8(strip_terminal_codes(words).substr(0, 200));
}

Result<ArchiveReader> open_reader(std::string_view bytes, const std::string& name, Inside inside) {
  ArchiveReader reader(::archive_read_new());
  if (!reader) return fail(ErrorKind::limit, "no memory to read " + name);
  const Packing packing = packing_of(bytes);
  if (inside == Inside::one_text) {
    ::archive_read_support_format_raw(reader.get());
  } else {
    ::archive_read_support_format_tar(reader.get());
    if (packing == Packing::none) ::archive_read_support_format_zip(reader.get());
  }
  // Naming the filter switches libarchive's own search for up to 25 stacked ones off.
  const bool opened =
      (packing == Packing::none ||
       ::archive_read_append_filter(reader.get(), filter_of(packing)) >= ARCHIVE_WARN) &&
      ::archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) >= ARCHIVE_WARN;
  if (opened) return reader;
  if (packing == Packing::none)
    return fail(ErrorKind::input, name + " cannot be opened: " + words_of(reader.get()) +
                                      "; the file is cut or damaged, copy it again");
  return damaged_data(name, packing);
}

Result<std::string> decompress(std::string_view bytes, const std::string& name,
                               std::uint64_t limit_bytes) {
  const auto reader = open_reader(bytes, name, Inside::one_text);
  if (!reader) return tl::unexpected(reader.error());
  const auto damaged = [&] { return damaged_data(name, packing_of(bytes)); };
  ::archive_entry* entry = nullptr;
  const int header = ::archive_read_next_header(reader->get(), &entry);
  if (header < ARCHIVE_WARN || header == ARCHIVE_EOF) return damaged();
  std::string text;
  std::array<char, 65536> chunk;
  for (;;) {
    const la_ssize_t got = ::archive_read_data(reader->get(), chunk.data(), chunk.size());
    if (got < 0) return damaged();
    if (got == 0) return text;
    if (text.size() + static_cast<std::size_t>(got) > limit_bytes)
      return fail(ErrorKind::limit, name + " is larger than " + text_of_bytes(limit_bytes) +
                                        " when decompressed, the most we read");
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace railgauge::observe
