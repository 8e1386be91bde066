// Loaded kernel modules of the list in module_names.h, with version and parameters.
// In a recording: proc/modules (the lines of these modules, without addresses), sys/module/NAME/
// {version,initstate,parameters/…}, proc/driver/nvidia/params, and the registered clients of peer
// memory, sys/kernel/mm/memory_peers/NAME/version.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_modules(const Root& root, Recording& recording);
void read_modules(const Recording& recording, model::Machine& machine);

// The module of that name, added when it is new.
model::KernelModule& module_named(model::Machine& machine, std::string_view name,
                                  model::SourceRef source);

}  // namespace railgauge::observe
