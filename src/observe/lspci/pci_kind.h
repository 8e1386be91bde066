// What a PCI function is to us.
#pragma once

#include <cstdint>
#include <optional>

#include "model/device.h"

namespace railgauge::observe {

// From the class and the port type; `vendor` tells GPUs from a board's own display and NVSwitch
// from other bridges. Host bridge functions are `other`: root buses are derived, not printed.
model::DeviceKind lspci_kind(const model::PciFacts& pci, std::optional<std::uint16_t> vendor);

}  // namespace railgauge::observe
