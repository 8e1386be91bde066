// The links that are no tree: NVLink, xGMI, C2C and the sockets, sorted for drawing.
//   Fabric net = fabric(machine);
//   net.to_switch.at(gpu0.value).words()      // "18× NVLink4 450 GB/s"
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/machine.h"
#include "present/words.h"

namespace railgauge::present {

// All links of one GPU to NVSwitches, taken together.
struct SwitchBond {
  model::Link total;  // a is the GPU, b the first switch; widths and rates are sums
  EdgeWords words() const { return edge_words(total); }
};

struct Fabric {
  std::map<std::uint32_t, SwitchBond> to_switch;  // by DeviceId::value of the GPU
  std::vector<std::size_t> direct;                // GPU to GPU, into Machine::links
  std::vector<std::size_t> to_cpu;                // C2C and NVLink between a GPU and a CPU
  std::vector<std::size_t> sockets;               // package to package, or NUMA node to node
  std::vector<model::DeviceId> switches;          // NVSwitch chips, or the fabric as one
};
Fabric fabric(const model::Machine& machine);

// "4 NVSwitches", "NVSwitch fabric"
std::string switches_words(const model::Machine& machine, const Fabric& net);

}  // namespace railgauge::present
