// Archives for tests, made by hand so that they can be wrong in exactly one way.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe::testing {

struct TarItem {
  std::string name;
  std::string bytes;
  char type = '0';  // ustar: 0 file, 1 hard link, 2 link, 3 and 4 devices, 5 directory, 6 FIFO
  std::string target = {};
  std::uint64_t stated_size = 0;  // when not 0: what the header claims instead of the truth
};

inline std::string octal(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llo", digits, static_cast<unsigned long long>(value));
  return text;
}

// POSIX.1-1988 ustar; numbers as octal text, the checksum counts itself as blanks.
inline std::string tar_block(const TarItem& item) {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, std::string_view text) {
    block.replace(at, text.size(), text);
  };
  put(0, std::string_view(item.name).substr(0, 100));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  const bool has_data = item.type == '0' || item.type == 'x' || item.type == 'L';
  put(124, octal(item.stated_size ? item.stated_size : has_data ? item.bytes.size() : 0, 11));
  put(136, "00000000000");
  put(148, "        ");
  put(156, std::string(1, item.type));
  put(157, std::string_view(item.target).substr(0, 100));
  put(257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 6) + std::string("\0 ", 2));
  std::string padded = item.bytes;
  padded.resize((padded.size() + 511) / 512 * 512, '\0');
  return block + padded;
}

inline std::string tar_of(const std::vector<TarItem>& items) {
  std::string bytes;
  for (const TarItem& item : items) bytes += tar_block(item);
  return bytes + std::string(1024, '\0');
}

inline la_ssize_t append_to_string(::archive*, void* sink, const void* data, std::size_t size) {
  static_cast<std::string*>(sink)->append(static_cast<const char*>(data), size);
  return static_cast<la_ssize_t>(size);
}

// "gzip", "zstd", "xz" around any bytes.
inline std::string compressed(const std::string& bytes, const char* filter) {
  std::string out;
  ::archive* writer = ::archive_write_new();
  ::archive_write_set_format_raw(writer);
  EXPECT_EQ(::archive_write_add_filter_by_name(writer, filter), ARCHIVE_OK);
  ::archive_write_set_bytes_in_last_block(writer, 1);
  ::archive_write_open(writer, &out, nullptr, append_to_string, nullptr);
  ::archive_entry* entry = ::archive_entry_new();
  ::archive_entry_set_filetype(entry, AE_IFREG);
  ::archive_entry_set_pathname(entry, "data");
  ::archive_write_header(writer, entry);
  ::archive_write_data(writer, bytes.data(), bytes.size());
  ::archive_entry_free(entry);
  ::archive_write_close(writer);
  ::archive_write_free(writer);
  return out;
}

// By libarchive: "zip", "pax", "gnutar".
inline std::string archive_of(const std::vector<TarItem>& items, const char* format) {
  std::string out;
  ::archive* writer = ::archive_write_new();
  EXPECT_EQ(::archive_write_set_format_by_name(writer, format), ARCHIVE_OK);
  ::archive_write_set_bytes_in_last_block(writer, 1);
  ::archive_write_open(writer, &out, nullptr, append_to_string, nullptr);
  for (const TarItem& item : items) {
    ::archive_entry* entry = ::archive_entry_new();
    ::archive_entry_set_pathname_utf8(entry, item.name.c_str());
    ::archive_entry_set_pathname(entry, item.name.c_str());
    ::archive_entry_set_perm(entry, 0644);
    ::archive_entry_set_filetype(entry, item.type == '2' ? AE_IFLNK : AE_IFREG);
    if (item.type == '2') ::archive_entry_set_symlink(entry, item.target.c_str());
    ::archive_entry_set_size(entry, static_cast<la_int64_t>(item.bytes.size()));
    EXPECT_GE(::archive_write_header(writer, entry), ARCHIVE_WARN) << archive_error_string(writer);
    ::archive_write_data(writer, item.bytes.data(), item.bytes.size());
    ::archive_entry_free(entry);
  }
  ::archive_write_close(writer);
  ::archive_write_free(writer);
  return out;
}

// A directory that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "railgauge-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

// The message of an expected failure.
template <class T>
std::string failure(const T& result) {
  return result ? std::string("(no error)") : result.error().text();
}

inline constexpr const char* manifest_text =
    R"({"schema": "railgauge.recording/1", "tool": "railgauge 0.1.0", "hostname": "node07"})";

}  // namespace railgauge::observe::testing
