// NUMA nodes and CPU packages, from a recording.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"

namespace railgauge::observe {

void read_cpus(const Recording& recording, model::Machine& machine);

// One value of /proc/cpuinfo's first processor, by its key, and the line it stands on.
struct CpuinfoValue {
  std::string text;
  std::uint32_t line = 0;
};
std::optional<CpuinfoValue> cpuinfo(const Recording& recording, std::string_view key);

}  // namespace railgauge::observe
