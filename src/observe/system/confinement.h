// What the process that looked was confined to: the CPUs, memory and files it may use, its control
// group, and whether it ran in a container.
// In a recording: proc/self/limits; of proc/self/status three lines (Cpus_allowed_list,
// Mems_allowed_list, CapEff); system/cgroup/{cpuset.cpus.effective,cpuset.mems.effective,
// memory.max} in the words of version 2, whatever the version, without the group's path, which
// names users and jobs; system/container.txt, a line "KIND EVIDENCE" for each sign of a container.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_confinement(const Root& root, Recording& recording);
void read_confinement(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
