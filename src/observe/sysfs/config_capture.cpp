#include "observe/sysfs/config_capture.h"

#include <algorithm>
#include <cstdint>

#include "observe/sysfs/copy.h"

namespace railgauge::observe {
namespace {

// Of the PCI Express Base Specification: the extended space starts at 0x100, a header is 4 bytes
// (identity 16 bits, version 4, next 12), the control word of ACS ends at +8, the status words of
// AER at +0x14.
constexpr std::size_t standard_bytes = 0x100;
constexpr std::size_t all_bytes = 0x1000;
constexpr std::uint32_t access_control_services = 0x000d;
constexpr std::uint32_t advanced_error_reporting = 0x0001;
// 3840 bytes of extended space, 8 for the smallest capability: a longer list loops.
constexpr int max_capabilities = 480;

std::uint32_t word_at(const Directory& function, std::size_t offset) {
  const auto bytes = function.read_at("config", offset, 4);
  if (!bytes || bytes->size() < 4) return 0;
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<std::uint8_t>((*bytes)[i]);
  return word;
}

// Up to where a bridge's space must be read. All of it when it has no Access Control Services: only
// a whole list proves that.
std::size_t bridge_bytes(const Directory& function) {
  std::size_t end = standard_bytes;
  bool has_acs = false;
  std::size_t at = standard_bytes;
  for (int i = 0; i < max_capabilities && at >= standard_bytes; ++i) {
    const std::uint32_t header = word_at(function, at);
    if (header == 0 || header == 0xffffffff) break;
    if ((header & 0xffff) == access_control_services) {
      has_acs = true;
      end = std::max(end, at + 0x08);
    }
    if ((header & 0xffff) == advanced_error_reporting) end = std::max(end, at + 0x14);
    at = header >> 20 & 0xffc;
  }
  return has_acs ? std::min(end, all_bytes) : all_bytes;
}

}  // namespace

void copy_config(const Directory& function, const std::string& path, Recording& recording) {
  const auto power = recording.text(path + "/power_state");
  if (power && *power == "D3cold")
    return recording.add_refused(path + "/config",
                                 "not read: the device is in D3cold and reading would wake it");
  const auto pci_class = recording.text(path + "/class");
  auto bytes = function.read_start("config", standard_bytes);
  if (bytes && bytes->size() == standard_bytes && pci_class && pci_class->starts_with("0x0604"))
    bytes = function.read_start("config", bridge_bytes(function));
  keep(std::move(bytes), path + "/config", recording);
}

}  // namespace railgauge::observe
