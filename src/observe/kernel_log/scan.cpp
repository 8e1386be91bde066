#include "observe/kernel_log/scan.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::string_view address_bytes = "0123456789abcdefABCDEF:.";
constexpr std::size_t event_text_bytes = 300;

std::optional<std::uint64_t> leading(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

// "0000:5d:00.0" of exactly this shape, which nearly all are.
std::optional<model::PciAddress> plain_address(std::string_view text) {
  if (text[4] != ':' || text[7] != ':') return std::nullopt;
  constexpr std::size_t places[] = {0, 1, 2, 3, 5, 6, 8, 9, 11};
  std::uint64_t value = 0;
  for (const std::size_t place : places) {
    const char c = text[place];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
  const auto device = static_cast<std::uint8_t>(value >> 4 & 0xff);
  if ((value & 15) > 7 || device > 31) return std::nullopt;
  return model::PciAddress{static_cast<std::uint32_t>(value >> 20),
                           static_cast<std::uint8_t>(value >> 12 & 0xff), device,
                           static_cast<std::uint8_t>(value & 7)};
}

std::string_view without_blanks(std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

}  // namespace

std::optional<std::string_view> after(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + key.size());
}

std::string_view until(std::string_view text, std::string_view stops) {
  return text.substr(0, text.find_first_of(stops));
}

std::optional<std::uint64_t> leading_number(std::string_view text) {
  return leading(without_blanks(text), 10);
}

std::optional<std::uint64_t> leading_hex(std::string_view text) {
  text = without_blanks(text);
  if (text.substr(0, 2) == "0x") text.remove_prefix(2);
  return leading(text, 16);
}

std::optional<int> leading_int(std::string_view text) {
  const auto value = leading_number(text);
  if (!value || *value > 0x7fffffff) return std::nullopt;
  return static_cast<int>(*value);
}

std::optional<model::PciAddress> leading_address(std::string_view text) {
  text = text.substr(0, text.find_first_not_of(address_bytes));
  while (!text.empty() && (text.back() == ':' || text.back() == '.')) text.remove_suffix(1);
  // "0000:5d:00.0" at the least: a domain, so that a time or a version is not taken for one.
  if (text.size() < 12 || text[text.size() - 2] != '.') return std::nullopt;
  if (text.size() == 12) return plain_address(text);
  return model::PciAddress::parse(text);
}

std::optional<model::PciAddress> find_address(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto start = text.find_first_of(address_bytes, i);
    if (start == std::string_view::npos) break;
    const auto end = std::min(text.find_first_not_of(address_bytes, start), text.size());
    if (const auto found = leading_address(text.substr(start, end - start))) return found;
    i = end;
  }
  return std::nullopt;
}

std::optional<DeviceWords> device_words(std::string_view text) {
  DeviceWords out;
  auto address = leading_address(text);
  if (!address) {
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos || blank > 40) return std::nullopt;
    out.driver = text.substr(0, blank);
    text.remove_prefix(blank + 1);
    address = leading_address(text);
    if (!address) return std::nullopt;
  }
  out.address = *address;
  // A network device or a port service may stand between the address and the colon.
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos || colon > 64) return std::nullopt;
  out.rest = text.substr(colon + 2);
  return out;
}

model::PciAddress address_of_id(std::uint64_t id, std::uint32_t domain) {
  return {domain, static_cast<std::uint8_t>(id >> 8), static_cast<std::uint8_t>((id >> 3) & 31),
          static_cast<std::uint8_t>(id & 7)};
}

std::string event_text(std::string_view text) {
  text = trim(text);
  const bool plain =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; });
  if (plain && text.size() <= event_text_bytes) return std::string(text);
  std::string out = valid_utf8(strip_terminal_codes(text.substr(0, 4 * event_text_bytes)));
  if (out.size() <= event_text_bytes) return out;
  std::size_t end = event_text_bytes - 3;
  while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
  return out.substr(0, end) + "…";
}

}  // namespace railgauge::observe
