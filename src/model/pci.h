// PCI names and numbers: addresses, identities, classes, link generations.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::model {

// domain:bus:device.function. Text forms differ by tool; all these parse to the same value:
// "0000:5d:00.0", "5d:00.0", "00000000:5D:00.0" (NVML), "0000:5d:00" (NVRM Xid, function 0).
struct PciAddress {
  std::uint32_t domain = 0;
  std::uint8_t bus = 0;
  std::uint8_t device = 0;    // 0-31
  std::uint8_t function = 0;  // 0-7

  static std::optional<PciAddress> parse(std::string_view text);
  std::string text() const;  // "0000:5d:00.0", lower case
  friend auto operator<=>(const PciAddress&, const PciAddress&) = default;
};

struct PciId {
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  friend auto operator<=>(const PciId&, const PciId&) = default;
};

// 24 bits as in sysfs `class`: base class, sub-class, programming interface.
struct PciClass {
  std::uint32_t code = 0;

  std::uint8_t base() const { return static_cast<std::uint8_t>(code >> 16); }
  std::uint16_t base_and_sub() const { return static_cast<std::uint16_t>(code >> 8); }
  bool is_display() const { return base() == 0x03; }  // VGA, 3D, other display controllers
  bool is_accelerator() const { return base_and_sub() == 0x1200; }  // AMD Instinct
  bool is_network() const { return base() == 0x02; }  // Ethernet 0200, InfiniBand 0207
  bool is_pci_bridge() const { return base_and_sub() == 0x0604; }
  bool is_host_bridge() const { return base_and_sub() == 0x0600; }
  bool is_other_bridge() const { return base_and_sub() == 0x0680; }  // NVSwitch reports this
  bool is_nvme() const { return base_and_sub() == 0x0108; }
  friend bool operator==(const PciClass&, const PciClass&) = default;
};

// What a port or function is on its link, from the PCI Express capability.
enum class PciPort : std::uint8_t {
  endpoint,
  root_port,
  switch_upstream,
  switch_downstream,
  pci_bridge,       // PCI Express to PCI, or the reverse
  root_integrated,  // integrated endpoint: no link at all
};

// Transfer rate of one lane in mega-transfers per second: 2500, 5000, 8000, 16000, 32000, 64000,
// 128000.
struct PcieSpeed {
  std::uint32_t megatransfers = 0;

  // "16.0 GT/s PCIe", "16GT/s", "8 GT/s", "2.5 GT/s"; "Unknown" and "" give nothing.
  static std::optional<PcieSpeed> parse(std::string_view text);
  static std::optional<PcieSpeed> of_generation(int generation);
  int generation() const;    // 1-7; 0 for a rate no generation has
  std::string text() const;  // "Gen4", or "3.2 GT/s" for a rate no generation has
  friend auto operator<=>(const PcieSpeed&, const PcieSpeed&) = default;
};

}  // namespace railgauge::model
