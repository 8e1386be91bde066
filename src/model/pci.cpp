#include "model/pci.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace railgauge::model {
namespace {

// megatransfers per second by generation - 1. Source: PCI-SIG base specifications 1.0 to 7.0.
constexpr std::array<std::uint32_t, 7> generations{2500, 5000, 8000, 16000, 32000, 64000, 128000};

// At least so many digits. Addresses are put into words for every device again and again, so this
// is not left to a formatting library.
void append_hex(std::string& out, std::uint32_t value, int digits) {
  while (digits < 8 && value >> (4 * digits) != 0) ++digits;
  while (digits-- > 0) out += "0123456789abcdef"[value >> (4 * digits) & 15];
}

}  // namespace

std::optional<PciAddress> PciAddress::parse(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > 20) return std::nullopt;
  std::string_view function = "0";
  if (const auto dot = text.rfind('.'); dot != std::string_view::npos) {
    function = text.substr(dot + 1);
    text = text.substr(0, dot);
  }
  auto fields = split(text, ':');
  if (fields.size() == 2) fields.insert(fields.begin(), "0");
  if (fields.size() != 3) return std::nullopt;
  if (std::any_of(fields.begin(), fields.end(),
                  [](auto f) { return f.empty() || contains(f, "x"); }))
    return std::nullopt;
  // Fixed widths keep times and version numbers ("10:30:00.1234") from passing as addresses.
  if (fields[0].size() > 8 || fields[1].size() > 2 || fields[2].size() > 2 || function.size() > 1)
    return std::nullopt;
  const auto domain = parse_hex(fields[0]);
  const auto bus = parse_hex(fields[1]);
  const auto device = parse_hex(fields[2]);
  const auto number = parse_hex(function);
  if (!domain || !bus || !device || !number) return std::nullopt;
  if (*domain > 0xffffffff || *bus > 0xff || *device > 0xff || *number > 7) return std::nullopt;
  PciAddress out;
  out.domain = static_cast<std::uint32_t>(*domain);
  out.bus = static_cast<std::uint8_t>(*bus);
  out.device = static_cast<std::uint8_t>(*device);
  out.function = static_cast<std::uint8_t>(*number);
  return out;
}

std::string PciAddress::text() const {
  std::string out;
  append_hex(out, domain, 4);
  append_hex(out += ':', bus, 2);
  append_hex(out += ':', device, 2);
  append_hex(out += '.', function, 1);
  return out;
}

std::optional<PcieSpeed> PcieSpeed::parse(std::string_view text) {
  text = trim(text);
  const auto unit = text.find("GT/s");
  if (unit == std::string_view::npos) return std::nullopt;
  const auto value = parse_double(text.substr(0, unit));
  if (!value || *value <= 0 || *value > 1000) return std::nullopt;
  return PcieSpeed{static_cast<std::uint32_t>(*value * 1000 + 0.5)};
}

std::optional<PcieSpeed> PcieSpeed::of_generation(int generation) {
  if (generation < 1 || generation > static_cast<int>(generations.size())) return std::nullopt;
  return PcieSpeed{generations[static_cast<std::size_t>(generation - 1)]};
}

int PcieSpeed::generation() const {
  const auto found = std::find(generations.begin(), generations.end(), megatransfers);
  return found == generations.end() ? 0 : static_cast<int>(found - generations.begin()) + 1;
}

std::string PcieSpeed::text() const {
  if (const int g = generation(); g > 0) return "Gen" + std::to_string(g);
  return fmt::format("{:g} GT/s", megatransfers / 1000.0);
}

}  // namespace railgauge::model
