// What the files of one PCI function's directory say.
#pragma once

#include "observe/sysfs/attributes.h"

namespace railgauge::observe {

// Fills device.pci, numa_node and what the configuration space adds; the device's kind, address and
// parent are the caller's.
void read_pci_function(Attributes& attributes, model::Machine& machine, model::Device& device);

// Kernel counters of Advanced Error Reporting: "RxErr 0" a line. Lines that are not so are
// remarked.
void read_aer(const Entry& table, model::SourceRef here, model::Machine& machine,
              model::Counters& counters);

}  // namespace railgauge::observe
