// What a kind of PCI function is, as one entry of `parts:` in data/machines/*.yaml says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "model/device.h"
#include "observe/catalogue/yaml_row.h"

namespace railgauge::observe {

struct PcieLink {
  model::PcieSpeed speed;
  int width = 16;
};
std::optional<PcieLink> parse_pcie_link(std::string_view text);  // "gen5 x16"

struct Part {
  model::DeviceKind kind = model::DeviceKind::other;
  std::optional<model::PciId> id;
  std::optional<model::PciId> subsystem;
  model::PciClass pci_class;
  std::string name;
  std::optional<PcieLink> link;  // none for what is inside a chip
  std::string driver;
  std::uint64_t memory_bytes = 0;
  // Network adapters. In rdma and netdev "$i" is the adapter's number, "$b" its bus in decimal,
  // "$f" its PCI function.
  std::optional<BytesPerSecond> rate;
  std::string link_layer;
  std::string rdma;
  std::string netdev;
};

using Parts = std::map<std::string, Part>;
Parts read_parts(YamlRow& top);

}  // namespace railgauge::observe
