#include "observe/sysfs/pci_names.h"

namespace railgauge::observe {

namespace {

// Lower-case hex digits, as printed by %04x or %02x: not shorter, and longer only without a zero in
// front.
std::optional<std::uint32_t> hex_field(std::string_view text, std::size_t width) {
  if (text.size() < width || text.size() > 8) return std::nullopt;
  if (text.size() > width && text.front() == '0') return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(c >= 'a' && c <= 'f')) return std::nullopt;
    value = value * 16 + static_cast<std::uint32_t>(digit ? c - '0' : c - 'a' + 10);
  }
  return value;
}

}  // namespace

std::optional<model::PciAddress> function_name(std::string_view name) {
  if (name.size() < 12 || name.size() > 16) return std::nullopt;
  const std::string_view rest = name.substr(name.size() - 8);  // ":5d:00.0"
  if (rest[0] != ':' || rest[3] != ':' || rest[6] != '.' || rest[7] < '0' || rest[7] > '7')
    return std::nullopt;
  const auto domain = hex_field(name.substr(0, name.size() - 8), 4);
  const auto bus = hex_field(rest.substr(1, 2), 2);
  const auto device = hex_field(rest.substr(4, 2), 2);
  if (!domain || !bus || !device) return std::nullopt;
  model::PciAddress address;
  address.domain = *domain;
  address.bus = static_cast<std::uint8_t>(*bus);
  address.device = static_cast<std::uint8_t>(*device);
  address.function = static_cast<std::uint8_t>(rest[7] - '0');
  return address;
}

std::optional<RootBus> root_bus_name(std::string_view name) {
  if (!name.starts_with("pci") || name.size() < 10 || name.size() > 14) return std::nullopt;
  const std::size_t colon = name.size() - 3;
  if (name[colon] != ':') return std::nullopt;
  const auto domain = hex_field(name.substr(3, colon - 3), 4);
  const auto bus = hex_field(name.substr(colon + 1), 2);
  if (!domain || !bus) return std::nullopt;
  return RootBus{*domain, static_cast<std::uint8_t>(*bus)};
}

std::optional<model::PciAddress> last_function(std::string_view path) {
  for (;;) {
    const auto slash = path.rfind('/');
    const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (auto address = function_name(name)) return address;
    if (slash == std::string_view::npos) return std::nullopt;
    path = path.substr(0, slash);
  }
}

}  // namespace railgauge::observe
