// How far each GPU is from the adapters that a training job could use.
//   for (const GpuNics& gpu : gpu_nic_distances(machine)) gpu.best …
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "judge/rule.h"
#include "model/paths.h"

namespace railgauge::judge {

struct GpuNics {
  model::DeviceId gpu;
  std::vector<std::pair<model::DeviceId, model::PathClass>> nics;  // where the distance is known
  model::PathClass best;                                           // of those
  std::vector<model::DeviceId> nearest;                            // all of the best class
};

// Adapters with RDMA where any is known, else those that a matrix or NCCL lists, else ConnectX.
// Ports that are down and virtual functions are left out.
std::vector<model::DeviceId> training_nics(const model::Machine& machine);

// GPUs of which at least one distance is known. A settled machine.
std::vector<GpuNics> gpu_nic_distances(const model::Machine& machine);

// Under one PCIe switch, or several without the CPU: as far as GPUDirect RDMA goes by default.
inline bool is_near(model::PathClass distance) { return distance.kind <= model::SmiClass::pxb; }

// Grace and other CPUs that GPUs reach by NVLink-C2C: adapters hang on the CPU by design, and SYS
// in a matrix costs nothing.
bool gpus_hang_on_c2c(const model::Machine& machine);

}  // namespace railgauge::judge
