// Copies what the kernel says of NUMA nodes, CPU packages and their memory.
// Of /proc/cpuinfo only the first processor, of a node's meminfo only MemTotal.
#pragma once

#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_cpus(const Root& root, Recording& recording);

}  // namespace railgauge::observe
