#include "model/device.h"

#include <array>
#include <utility>

namespace railgauge::model {
namespace {

constexpr std::array<std::pair<DeviceKind, std::string_view>, 12> kinds{{
    {DeviceKind::package, "package"},
    {DeviceKind::numa_node, "numa_node"},
    {DeviceKind::host_bridge, "host_bridge"},
    {DeviceKind::root_port, "root_port"},
    {DeviceKind::pcie_switch, "pcie_switch"},
    {DeviceKind::switch_port, "switch_port"},
    {DeviceKind::pcie_bridge, "pcie_bridge"},
    {DeviceKind::gpu, "gpu"},
    {DeviceKind::nvswitch, "nvswitch"},
    {DeviceKind::nic, "nic"},
    {DeviceKind::nvme, "nvme"},
    {DeviceKind::other, "other"},
}};

}  // namespace

std::string_view text(DeviceKind kind) {
  for (const auto& [value, word] : kinds)
    if (value == kind) return word;
  return "other";
}

std::optional<DeviceKind> parse_device_kind(std::string_view word) {
  for (const auto& [value, name] : kinds)
    if (name == word) return value;
  return std::nullopt;
}

bool is_pcie_bridge(DeviceKind kind) {
  return kind == DeviceKind::root_port || kind == DeviceKind::pcie_switch ||
         kind == DeviceKind::switch_port || kind == DeviceKind::pcie_bridge;
}

std::string_view text(Aspm aspm) {
  switch (aspm) {
    case Aspm::disabled: return "disabled";
    case Aspm::l0s: return "L0s";
    case Aspm::l1: return "L1";
    case Aspm::l0s_l1: return "L0s L1";
  }
  return "disabled";
}

}  // namespace railgauge::model
