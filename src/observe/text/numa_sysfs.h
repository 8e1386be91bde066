// NUMA nodes in words: `grep "" /sys/devices/system/node/node*/{cpulist,distance}`, `numactl -H`,
// and lscpu's "NUMA node0 CPU(s):" lines.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_numa_sysfs(std::string_view bytes);
Result<model::Machine> read_numa_sysfs(const Input& input);

}  // namespace railgauge::observe
