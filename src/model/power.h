// What power states say about links.
#pragma once

#include "model/device.h"

namespace railgauge::model {

// A GPU known to be in P3 or deeper: it may lower its PCIe generation until there is work. P0 to P2
// are working states. False when the state is unknown, and for other devices.
bool saves_power(const Device& device);

}  // namespace railgauge::model
