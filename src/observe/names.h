// Product names for PCI functions that sources know only by their ids (sysfs, NCCL XML).
#pragma once

#include <filesystem>

#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::observe {

// Claims a name for every device that has an id and no name: ours first, then the pci.ids file. The
// names of a catalogue rank below what any tool said. An empty path: our own short list only.
void name_devices(model::Machine& machine, const model::Catalogue& catalogue,
                  const std::filesystem::path& pci_ids);

}  // namespace railgauge::observe
