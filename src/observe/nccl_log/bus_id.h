// NCCL packs "0000:1b:00.0" into the number 0x00001b000: the digits without what stands between.
#pragma once

#include <optional>
#include <string_view>

#include "model/pci.h"

namespace railgauge::observe {

std::optional<model::PciAddress> bus_id(std::string_view text);

}  // namespace railgauge::observe
