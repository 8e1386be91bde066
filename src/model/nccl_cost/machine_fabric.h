// The Fabric of a job on a machine that was seen, or on a board that was merely named.
//   const Reading<Fabric> found = fabric_of(machine, RateKind::as_found, job);
//   const Reading<Fabric> sold = fabric_of(*board, job);     // HGX: every link to NVSwitches
// Unknown with a reason where the machine does not say what the cost model needs.
#pragma once

#include <optional>
#include <string_view>

#include "base/reading.h"
#include "model/catalogue.h"
#include "model/machine.h"
#include "model/nccl_cost/fabric.h"
#include "model/paths.h"

namespace railgauge::model::nccl_cost {

// Network adapters of one node.
struct Adapters {
  int count = 0;
  double gbps = 0;  // each, GB/s
  friend bool operator==(const Adapters&, const Adapters&) = default;
};
std::optional<Adapters> parse_adapters(std::string_view text);  // "8x400G", Gb/s

struct Job {
  int gpus_per_node = 8;
  int nodes = 1;
  std::optional<Adapters> adapters;  // instead of what the machine says
  NcclVersion version{2, 28, 9};
};

Reading<Fabric> fabric_of(const Machine& machine, RateKind rates, const Job& job);
Reading<Fabric> fabric_of(const GpuBoard& board, const Job& job);

// The adapters a job would use: those of the highest rate that are up, each port for one.
Reading<Adapters> adapters_of(const Machine& machine, RateKind rates);

}  // namespace railgauge::model::nccl_cost
