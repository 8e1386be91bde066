#include "observe/archive/plain_text.h"

#include <algorithm>
#include <cstdint>

namespace railgauge::observe {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t replacement = 0xfffd;
constexpr std::size_t looked_at_bytes = 8192;

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xe0 | code >> 12);
    } else {
      put(0xf0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3f));
    }
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(big_endian ? first << 8 | second : second << 8 | first);
  };
  std::string out;
  out.reserve(bytes.size() / 2);
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size() && unit(i + 2) >= 0xdc00 &&
        unit(i + 2) < 0xe000) {
      code = 0x10000 + ((code - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    } else if (code >= 0xd800 && code < 0xe000) {
      code = replacement;
    }
    append_utf8(out, code);
  }
  if (i < bytes.size()) append_utf8(out, replacement);
  return out;
}

}  // namespace

std::string plain_text(std::string bytes) {
  const std::string_view text = bytes;
  if (text.starts_with("\xff\xfe"sv)) return from_utf16(text.substr(2), false);
  if (text.starts_with("\xfe\xff"sv)) return from_utf16(text.substr(2), true);
  if (text.starts_with("\xef\xbb\xbf"sv)) bytes.erase(0, 3);
  return bytes;
}

bool looks_binary(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, looked_at_bytes);
  const auto odd = std::count_if(start.begin(), start.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 &&
           "\t\n\r\f\b\a\v\x1b"sv.find(c) == std::string_view::npos;
  });
  // One in twenty: a guess; real captures of terminals have none.
  return static_cast<std::size_t>(odd) * 20 > start.size();
}

std::string binary_words(std::string_view bytes) {
  std::string words = "looks binary (first bytes";
  for (const char c : bytes.substr(0, 4)) {
    words += ' ';
    words += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    words += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return words + (bytes.size() > 4 ? " …)" : ")");
}

}  // namespace railgauge::observe
