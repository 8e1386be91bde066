// What is known of PCIe links before and beside the tree. For the settle_*.cpp files only.
#pragma once

#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::model {

// The link above an endpoint as its own end (and its board) describes it, with rates; for devices
// whose upstream port no source shows. Both ends of the result are the device.
Link own_pcie_link(DeviceId id, const Device& device, const Catalogue& catalogue, Sources& sources);

// as_found and nominal of a PCIe link from its speeds and widths.
void settle_pcie_rates(Link& link, const Catalogue& catalogue);

}  // namespace railgauge::model
