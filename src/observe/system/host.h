// The host as a whole: names, firmware, kernel settings, memory, /dev/shm, uptime.
// In a recording the files of /sys and /proc under their own paths; of proc/meminfo two lines; and
// three of our own, since their sources are no files: system/dev-shm.txt in the form of `df -P -k`,
// system/iommu-groups.txt with the number of groups (a folder that is empty leaves no trace), and
// what the others of this folder describe.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

// No serial numbers, UUIDs or asset tags are ever read.
void capture_host(const Root& root, Recording& recording);
void read_host(const Recording& recording, model::Machine& machine);

// Who runs below us: "none" on bare metal, "kvm" …
void read_hypervisor(const Recording& recording, model::Machine& machine);
// The facts that come from many files: governors, IOMMU groups, huge pages, sysctls.
void read_many(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
