// Copies what the kernel says of NUMA nodes, CPU packages, memory and the host as a whole.
// Of /proc/cpuinfo only the first processor, of meminfo only MemTotal, and no host identity beyond
// its name: no serial numbers, no asset tags.
#pragma once

#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_cpus(const Root& root, Recording& recording);
void capture_host(const Root& root, Recording& recording);

}  // namespace railgauge::observe
