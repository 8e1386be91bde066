// What tools said of each pair of GPUs beside the class: nvidia-smi topo -p2p, rocm-smi --showtopo.
//   for (const PairTable& table : pair_tables(machine))      // only those that anybody stated
//     table.cell(gpu0, gpu1)                                 // "OK", "GNS", "PCIE weight 52 hops
//     3"
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/machine.h"

namespace railgauge::present {

using DevicePair = std::pair<model::DeviceId, model::DeviceId>;

struct PairTable {
  std::string name;                         // "P2P read"
  std::string legend;                       // what its abbreviations mean; empty when all are OK
  std::map<DevicePair, std::string> cells;  // the smaller id first

  std::string cell(model::DeviceId a, model::DeviceId b) const;  // "?" when nobody stated it
};
std::vector<PairTable> pair_tables(const model::Machine& machine);

// The pairs that share a cell, the largest group first.
struct PairGroup {
  std::string cell;
  std::vector<DevicePair> pairs;
};
std::vector<PairGroup> groups_of(const PairTable& table);

// "GPU not supported" for "GNS"; empty for "OK" and for what is no status. nvidia-smi's own legend.
std::string status_meaning(const std::string& cell);

}  // namespace railgauge::present
