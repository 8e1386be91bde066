// Copies the PCI tree of a live system: every function below every root bus in /sys/devices, and of
// each function only what read_pci() understands.
//   capture_pci(root, recording);    // sys/devices/pci0000:00/0000:00:01.0/vendor …
// Cheap: about 25 system calls a function. Never wakes a device: the configuration space of a
// function in D3cold is not read, and the recording says so.
#pragma once

#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_pci(const Root& root, Recording& recording);

}  // namespace railgauge::observe
