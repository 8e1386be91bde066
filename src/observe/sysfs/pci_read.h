// The PCI tree of a recording: a device for every root bus and function directory below
// sys/devices, each child of the directory it lies in.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"

namespace railgauge::observe {

void read_pci(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
