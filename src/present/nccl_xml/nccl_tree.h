// A machine's tree in NCCL's form: CPUs (NUMA nodes), below them switches by their upstream ports,
// below those GPUs and NICs. Host bridges, root ports and downstream ports are left out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/machine.h"

namespace railgauge::present {

struct NcclTree {
  std::vector<model::DeviceId> cpus;                              // NUMA nodes with something below
  std::map<model::DeviceId, std::vector<model::DeviceId>> below;  // in the machine's order
  std::vector<model::DeviceId> loose;                             // no NUMA node is known
  std::map<model::DeviceId, std::string> busid;                   // of everything listed
  std::vector<model::DeviceId> without_address;                   // GPUs and NICs left out
};

NcclTree nccl_tree(const model::Machine& machine);

// What an NCCL topology file said and no fact holds: the text behind "nccl.<key>", or nullptr.
const std::string* stated(const model::Device& device, const std::string& key);

}  // namespace railgauge::present
