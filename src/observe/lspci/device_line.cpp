#include "observe/lspci/device_line.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/lspci/class_names.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t line_max = 1000;

bool is_hex(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

// Takes "(rev a1)" or "(prog-if 02 …)" off the text and returns its first word.
std::optional<std::uint64_t> take_parenthesis(std::string& text, std::string_view opening) {
  const std::size_t start = text.find(opening);
  if (start == std::string::npos) return std::nullopt;
  const std::size_t end = text.find(')', start);
  if (end == std::string::npos) return std::nullopt;
  const std::string inside = text.substr(start + opening.size(), end - start - opening.size());
  text.erase(start, end + 1 - start);
  const auto words = split_blank(inside);
  return words.empty() ? std::nullopt : parse_hex(words[0]);
}

std::optional<model::PciId> parse_id(std::string_view text) {
  if (text.size() != 9 || text[4] != ':') return std::nullopt;
  if (!is_hex(text.substr(0, 4)) || !is_hex(text.substr(5))) return std::nullopt;
  return model::PciId{static_cast<std::uint16_t>(*parse_hex(text.substr(0, 4))),
                      static_cast<std::uint16_t>(*parse_hex(text.substr(5)))};
}

// "3D controller [0302]", "0302", "3D controller": the code, and the name without it.
std::optional<std::uint16_t> class_code(std::string_view text, std::string& name) {
  text = trim(text);
  name = std::string(text);
  if (text.size() == 4 && is_hex(text)) return static_cast<std::uint16_t>(*parse_hex(text));
  if (text.size() >= 6 && text.back() == ']' && text[text.size() - 6] == '[' &&
      is_hex(text.substr(text.size() - 5, 4))) {
    name = std::string(trim(text.substr(0, text.size() - 6)));
    return static_cast<std::uint16_t>(*parse_hex(text.substr(text.size() - 5, 4)));
  }
  return class_of_name(text);
}

// "NVIDIA Corporation Device 2330" names the device by its number.
std::optional<model::PciId> id_in_name(std::string_view name, std::uint16_t vendor) {
  const auto words = split_blank(name);
  if (words.size() < 3 || words[words.size() - 2] != "Device") return std::nullopt;
  const std::string_view number = words.back();
  if (number.size() != 4 || !is_hex(number)) return std::nullopt;
  return model::PciId{vendor, static_cast<std::uint16_t>(*parse_hex(number))};
}

}  // namespace

std::optional<model::PciId> bracketed_id(std::string_view text) {
  text = trim(text);
  if (text.size() < 11 || text.back() != ']' || text[text.size() - 11] != '[') return std::nullopt;
  return parse_id(text.substr(text.size() - 10, 9));
}

std::optional<model::PciAddress> lspci_address(std::string_view word) {
  const std::size_t n = word.size();
  if (n < 7 || n > 16 || word[n - 2] != '.' || word[n - 5] != ':') return std::nullopt;
  if (n != 7 && n < 12) return std::nullopt;
  return model::PciAddress::parse(word);
}

std::optional<DeviceLine> parse_device_line(std::string_view line) {
  line = trim(line.substr(0, line_max));
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto address = lspci_address(line.substr(0, blank));
  if (!address) return std::nullopt;
  std::string rest(trim(line.substr(blank)));
  const std::size_t colon = rest.find(": ");
  if (colon == std::string::npos) return std::nullopt;
  DeviceLine out;
  out.address = *address;
  const auto code = class_code(std::string_view(rest).substr(0, colon), out.class_name);
  rest.erase(0, colon + 2);
  const auto interface = take_parenthesis(rest, "(prog-if ");
  if (code)
    out.pci_class = model::PciClass{static_cast<std::uint32_t>(*code) << 8 |
                                    static_cast<std::uint32_t>(interface.value_or(0) & 0xff)};
  if (const auto revision = take_parenthesis(rest, "(rev "); revision && *revision <= 0xff)
    out.revision = static_cast<int>(*revision);
  const std::string_view name = trim(rest);
  out.id = bracketed_id(name);
  if (out.id)
    out.name = std::string(trim(name.substr(0, name.size() - 11)));
  else if (out.id = parse_id(name); !out.id)
    out.name = std::string(name);
  if (!out.id) {
    out.vendor = vendor_of_name(out.name);
    if (out.vendor) out.id = id_in_name(out.name, *out.vendor);
  }
  if (out.id) out.vendor = out.id->vendor;
  return out;
}

}  // namespace railgauge::observe
