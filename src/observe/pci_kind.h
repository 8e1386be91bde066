// What a PCI function is, from its identity and class, and for bridges from its port type or, where
// the configuration space was hidden, from where it sits.
#pragma once

#include <cstdint>
#include <optional>

#include "model/device.h"

namespace railgauge::observe {

// Kind of a function that is no PCI-to-PCI bridge: gpu, nvswitch, nic, nvme or other. A VGA
// controller of a board management controller or a virtual machine is `other`. The vendor is the
// one of the id unless another source, such as a printed name, knows it.
model::DeviceKind endpoint_kind(const model::PciFacts& pci);
model::DeviceKind endpoint_kind(const model::PciFacts& pci, std::optional<std::uint16_t> vendor);

// Kind of a bridge by its port type.
model::DeviceKind bridge_kind(model::PciPort port);

// Kind of a bridge whose port type nobody may read: what its parent is and whether bridges lie
// below it. This is a guess by structure: a switch is a bridge below a port that has bridges below
// itself.
model::DeviceKind bridge_kind_by_place(std::optional<model::DeviceKind> parent,
                                       bool has_bridges_below, bool subtractive);

// The port type that goes with a kind, for bridges placed by structure.
model::PciPort port_of(model::DeviceKind bridge);

}  // namespace railgauge::observe
