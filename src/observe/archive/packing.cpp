#include "observe/archive/packing.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/archive.h"
#include "observe/archive/descriptor.h"

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
  const auto reader = open_compressed(bytes, {});
  std::string block(tar_block_bytes, '\0');
  if (!reader) return {};
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

Result<ArchiveReader> open_compressed(std::string_view bytes, const std::string& name) {
  ArchiveReader reader(::archive_read_new());
  if (!reader) return fail(ErrorKind::limit, "no memory to read " + name);
  const Packing packing = packing_of(bytes);
  ::archive_entry* entry = nullptr;
  ::archive_read_support_format_raw(reader.get());
  // Naming the filter switches libarchive's own search for up to 25 stacked ones off.
  if (::archive_read_append_filter(reader.get(), filter_of(packing)) < ARCHIVE_WARN ||
      ::archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) < ARCHIVE_WARN ||
      ::archive_read_next_header(reader.get(), &entry) < ARCHIVE_WARN)
    return damaged_data(name, packing);
  return reader;
}

namespace {

constexpr std::size_t long_start_bytes = 1u << 20;  // of the text, which tells what it is
// Logs shrink to a twentieth and less: a packed one below this is short enough to hold.
constexpr std::uint64_t small_packed_bytes = 512u << 10;

Packing packing_of_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  std::array<char, 8> start{};
  const ssize_t got = file ? ::read(file.value(), start.data(), start.size()) : 0;
  return packing_of({start.data(), got < 0 ? 0 : static_cast<std::size_t>(got)});
}

// What libarchive unpacks, until its end; what is wanted is given away.
Result<std::string> rest_of(::archive* reader, const std::string& name, Packing packing,
                            std::uint64_t limit_bytes, PieceTaker* long_text) {
  std::string text;
  std::array<char, 65536> chunk;
  bool taken = false;
  for (;;) {
    const la_ssize_t got = ::archive_read_data(reader, chunk.data(), chunk.size());
    if (got < 0) return damaged_data(name, packing);
    if (got == 0) return text;
    const std::string_view piece(chunk.data(), static_cast<std::size_t>(got));
    if (taken) {
      long_text->take(piece);
      continue;
    }
    text.append(piece);
    if (long_text != nullptr && text.size() >= long_start_bytes) {
      taken = long_text->wants(text);
      if (taken) {
        long_text->take(text);
        text.clear();
        continue;
      }
      long_text = nullptr;
    }
    if (text.size() > limit_bytes)
      return fail(ErrorKind::limit, name + " is larger than " + text_of_bytes(limit_bytes) +
                                        " when decompressed, the most we read");
  }
}

}  // namespace

Result<std::string> decompress(std::string_view bytes, const std::string& name,
                               std::uint64_t limit_bytes, PieceTaker* long_text) {
  const auto reader = open_compressed(bytes, name);
  if (!reader) return tl::unexpected(reader.error());
  return rest_of(reader->get(), name, packing_of(bytes), limit_bytes, long_text);
}

Result<bool> decompress_in_pieces(const std::string& path, PieceTaker& long_text) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || !std::filesystem::is_regular_file(path, error) || size < small_packed_bytes)
    return false;
  const Packing packing = packing_of_file(path);
  if (packing == Packing::none) return false;
  ArchiveReader reader(::archive_read_new());
  ::archive_entry* entry = nullptr;
  constexpr std::size_t block_bytes = 65536;
  if (!reader || ::archive_read_support_format_raw(reader.get()) < ARCHIVE_WARN ||
      ::archive_read_append_filter(reader.get(), filter_of(packing)) < ARCHIVE_WARN ||
      ::archive_read_open_filename(reader.get(), path.c_str(), block_bytes) < ARCHIVE_WARN ||
      ::archive_read_next_header(reader.get(), &entry) < ARCHIVE_WARN)
    return false;
  // A start of the text decides; what is no long text is left to the usual way.
  std::string text(long_start_bytes, '\0');
  const la_ssize_t got = ::archive_read_data(reader.get(), text.data(), text.size());
  if (got < static_cast<la_ssize_t>(text.size()) || is_tar_block(text) || !long_text.wants(text))
    return false;
  long_text.take(text);
  std::array<char, block_bytes> chunk;
  for (;;) {
    const la_ssize_t more = ::archive_read_data(reader.get(), chunk.data(), chunk.size());
    if (more < 0) return damaged_data(path, packing);
    if (more == 0) return true;
    long_text.take({chunk.data(), static_cast<std::size_t>(more)});
  }
}

}  // namespace railgauge::observe
