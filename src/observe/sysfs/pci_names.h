// How the kernel names PCI things in /sys/devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/pci.h"

namespace railgauge::observe {

// "0000:5d:00.0" exactly as the kernel writes it; anything else is not a function's directory.
std::optional<model::PciAddress> function_name(std::string_view name);

struct RootBus {
  std::uint32_t domain = 0;
  std::uint8_t bus = 0;
  friend bool operator==(const RootBus&, const RootBus&) = default;
};

// "pci0000:15", "pci10000:e0".
std::optional<RootBus> root_bus_name(std::string_view name);

// The last component of a path that names a function: the device a link leads to or through
// ("../../../0000:00:03.0/virtio2" gives 0000:00:03.0).
std::optional<model::PciAddress> last_function(std::string_view path);

}  // namespace railgauge::observe
