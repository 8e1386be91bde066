#include "observe/privacy/config_serial.h"

#include <algorithm>
#include <cstdint>

#include "observe/lspci/config_bytes.h"

namespace railgauge::observe::privacy {
namespace {

// PCI Express Base Specification 7.9.3: header of 4 bytes, then the EUI-64.
constexpr std::uint16_t device_serial_number = 0x0003;
constexpr std::size_t serial_at = 4;
constexpr std::size_t serial_bytes = 8;

}  // namespace

std::string without_device_serial(std::string config) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(config.data());
  const auto at = ConfigBytes({bytes, config.size()}).extended_capability(device_serial_number);
  if (!at) return config;
  const std::size_t begin = std::min(*at + serial_at, config.size());
  const std::size_t end = std::min(begin + serial_bytes, config.size());
  std::fill(config.begin() + static_cast<std::ptrdiff_t>(begin),
            config.begin() + static_cast<std::ptrdiff_t>(end), '\0');
  return config;
}

}  // namespace railgauge::observe::privacy
