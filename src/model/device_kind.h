// What kind of thing a device of a machine is.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace railgauge::model {

enum class DeviceKind : std::uint8_t {
  package,  // a CPU socket
  numa_node,
  host_bridge,  // a PCI root bus: "pci0000:15"
  root_port,    // the PCIe port of a host bridge
  pcie_switch,  // one switch, named by its upstream port
  switch_port,  // a downstream port of a switch
  pcie_bridge,  // a bridge whose role is not known, or PCIe-to-PCI
  gpu,
  nvswitch,  // one chip, or the whole NVLink switch fabric where chips are not visible
  nic,  // one PCI function of a network adapter (or one adapter where functions are not visible)
  nvme,
  other,  // a PCI function of any other class
};
std::string_view text(DeviceKind kind);  // "package", "numa_node", …: also the JSON word
std::optional<DeviceKind> parse_device_kind(std::string_view word);
bool is_pcie_bridge(DeviceKind kind);  // root_port, pcie_switch, switch_port, pcie_bridge

}  // namespace railgauge::model
