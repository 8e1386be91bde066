#include "observe/sysfs/pci_names.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace railgauge::observe {

std::optional<model::PciAddress> function_name(std::string_view name) {
  if (name.size() < 12 || name.size() > 16) return std::nullopt;
  const auto address = model::PciAddress::parse(name);
  if (!address || address->text() != name) return std::nullopt;
  return address;
}

std::optional<RootBus> root_bus_name(std::string_view name) {
  if (!name.starts_with("pci") || name.size() < 10 || name.size() > 14) return std::nullopt;
  const auto fields = split(name.substr(3), ':');
  if (fields.size() != 2) return std::nullopt;
  const auto domain = parse_hex(fields[0]);
  const auto bus = parse_hex(fields[1]);
  if (!domain || !bus || *domain > 0xffffffff || *bus > 0xff) return std::nullopt;
  if (fmt::format("pci{:04x}:{:02x}", *domain, *bus) != name) return std::nullopt;
  return RootBus{static_cast<std::uint32_t>(*domain), static_cast<std::uint8_t>(*bus)};
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
