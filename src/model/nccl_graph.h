// The graph NCCL builds of a machine: GPUs, PCI switches (each one node, whatever its ports), CPUs
// (NUMA nodes), NVSwitches, NICs; and its search for the best path from one node to every other.
// For nccl_path.cpp only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/machine.h"

namespace railgauge::model::nccl {

enum class NodeKind : std::uint8_t { gpu, pci, nvs, cpu, nic };

struct Edge {
  std::size_t to = 0;
  NcclPath type = NcclPath::loc;  // the type of a path of this edge alone
  double gbps = 0;
  std::string unknown;  // why gbps is only what stands in; empty when it is known
};

struct Node {
  DeviceId device;
  NodeKind kind = NodeKind::pci;
  bool intel = false;  // CPU nodes
  std::vector<Edge> edges;
};

struct Route {
  NcclPath type = NcclPath::dis;
  double gbps = 0;
  int count = 0;  // edges
  bool through_intel = false;
  std::string unknown;
};

struct Graph {
  std::vector<Node> nodes;
  std::map<DeviceId, std::size_t> node_of;
};

Graph graph(const Machine& machine, NcclVersion version);

// By node: the route from `base`, as NCCL's breadth-first search finds it.
std::vector<Route> routes(const Graph& graph, std::size_t base, NcclVersion version);

}  // namespace railgauge::model::nccl
