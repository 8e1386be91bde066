// The line that starts a device in every form of lspci:
//   "19:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2330] (rev a1)"
//   "0000:00:02.0 0604: 8086:6f04 (rev 01)"
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/device.h"

namespace railgauge::observe {

struct DeviceLine {
  model::PciAddress address;
  std::string class_name;  // as written, without its [code]
  std::optional<model::PciClass> pci_class;
  std::optional<std::uint16_t> vendor;  // by id, else by name where the name decides
  std::optional<model::PciId> id;
  std::optional<int> revision;
  std::string name;  // "NVIDIA Corporation Device"; empty in numeric output
};

// Nothing for lines that do not start with an address followed by a class.
std::optional<DeviceLine> parse_device_line(std::string_view line);

// "[10de:2330]" at the end of a text.
std::optional<model::PciId> bracketed_id(std::string_view text);

// Strict: "19:00.0" or "0000:19:00.0", nothing shorter.
std::optional<model::PciAddress> lspci_address(std::string_view word);

}  // namespace railgauge::observe
