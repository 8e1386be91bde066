#include "model/nccl_graph.h"

#include <algorithm>

#include "model/nccl_constants.h"
#include "model/tree_roles.h"

namespace railgauge::model::nccl {
namespace {

std::optional<NodeKind> node_kind(const Machine& machine, DeviceId id) {
  switch (machine[id].kind) {
    case DeviceKind::gpu: return NodeKind::gpu;
    case DeviceKind::nic: return NodeKind::nic;
    case DeviceKind::nvswitch: return NodeKind::nvs;
    case DeviceKind::numa_node: return NodeKind::cpu;
    case DeviceKind::host_bridge:  // stands for its CPU where no NUMA node is known
      return machine[id].parent ? std::nullopt : std::optional(NodeKind::cpu);
    default: return is_switch(machine, id) ? std::optional(NodeKind::pci) : std::nullopt;
  }
}

const CpuFacts* cpu_facts(const Machine& machine, DeviceId numa) {
  for (const DeviceId id : ancestry(machine, numa))
    if (const auto& cpu = machine[id].cpu; cpu && (cpu->vendor || cpu->architecture)) return &*cpu;
  return nullptr;
}

class Builder {
 public:
  Builder(const Machine& machine, NcclVersion version) : machine_(machine), version_(version) {}

  Graph build() {
    for (const DeviceId id : machine_.all())
      if (const auto kind = node_kind(machine_, id)) add(id, *kind);
    index_pcie();
    for (std::size_t i = 0, size = out_.nodes.size(); i < size; ++i) hang(i);
    for (const Link& link : machine_.links) add_fast(link);
    join_cpus();
    return std::move(out_);
  }

 private:
  void add(DeviceId id, NodeKind kind) {
    if (kind == NodeKind::nvs && fabric_) {  // all chips are one node
      out_.node_of.emplace(id, *fabric_);
      return;
    }
    if (kind == NodeKind::nvs) fabric_ = out_.nodes.size();
    const CpuFacts* cpu = kind == NodeKind::cpu ? cpu_facts(machine_, id) : nullptr;
    out_.node_of.emplace(id, out_.nodes.size());
    out_.nodes.push_back({id, kind, cpu && is_intel(*cpu), {}});
  }

  void connect(std::size_t a, std::size_t b, NcclPath type, std::optional<double> gbps,
               double stand_in, const std::string& why) {
    const Edge edge{b, type, gbps.value_or(stand_in), gbps ? std::string() : why};
    add_edge(a, edge);
    add_edge(b, {a, type, edge.gbps, edge.unknown});
  }

  // Links of one type between the same two nodes add up, as in ncclTopoConnectNodes.
  void add_edge(std::size_t from, const Edge& edge) {
    auto& edges = out_.nodes[from].edges;
    const auto same = std::find_if(edges.begin(), edges.end(), [&](const Edge& e) {
      return edge.type == NcclPath::nvl && e.type == edge.type && e.to == edge.to;
    });
    if (same == edges.end()) return edges.push_back(edge);
    same->gbps += edge.gbps;
    if (same->unknown.empty()) same->unknown = edge.unknown;
  }

  void index_pcie() {
    for (const Link& link : machine_.links)
      if (link.kind == LinkKind::pcie) uplink_.try_emplace(link.a, &link);
  }

  // To the next switch or CPU above.
  void hang(std::size_t node) {
    const NodeKind kind = out_.nodes[node].kind;
    if (kind == NodeKind::cpu || kind == NodeKind::nvs) return;
    const DeviceId device = out_.nodes[node].device;
    const auto chain = ancestry(machine_, device);
    for (std::size_t i = 1; i < chain.size(); ++i)
      if (const auto found = out_.node_of.find(chain[i]); found != out_.node_of.end())
        return connect(node, found->second, NcclPath::pix, pcie(device), default_pcie_gbps,
                       "the PCIe link of " + machine_[device].id + " is unknown");
  }

  // GPUs by the generation they run at, everything else by what both ends can do, as NCCL reads
  // sysfs and NVML.
  std::optional<double> pcie(DeviceId device) const {
    const auto found = uplink_.find(device);
    if (found == uplink_.end()) return std::nullopt;
    const Link& link = *found->second;
    const bool gpu = machine_[device].kind == DeviceKind::gpu;
    const auto& first = gpu ? link.speed : link.speed_possible;
    const auto& speed = first ? first : gpu ? link.speed_possible : link.speed;
    const auto& width = link.width_possible ? link.width_possible : link.width;
    if (!speed || !width) return std::nullopt;
    return pcie_gbps(*speed, *width);
  }

  std::optional<double> nvlink(const Link& link) const {
    for (const DeviceId end : {link.a, link.b}) {
      const auto& gpu = machine_[end].gpu;
      if (gpu && gpu->compute_capability && link.width)
        return nvlink_gbps(*gpu->compute_capability, version_) * *link.width;
    }
    return std::nullopt;
  }

  // A package at the end of a link means its first NUMA node.
  std::optional<std::size_t> end_node(DeviceId id) const {
    if (const auto found = out_.node_of.find(id); found != out_.node_of.end()) return found->second;
    for (std::size_t i = 0; i < out_.nodes.size(); ++i)
      if (out_.nodes[i].kind == NodeKind::cpu && machine_[out_.nodes[i].device].parent == id)
        return i;
    return std::nullopt;
  }

  void add_fast(const Link& link) {
    if (link.kind != LinkKind::nvlink && link.kind != LinkKind::xgmi && link.kind != LinkKind::c2c)
      return;
    const auto a = end_node(link.a);
    const auto b = end_node(link.b);
    if (!a || !b || *a == *b || (link.width && *link.width <= 0)) return;
    constexpr double stand_in = 20;  // one NVLink of most generations: enough to rank above PCIe
    const std::string why = "the rate of the links of " + machine_[link.a].id + " is unknown";
    if (link.kind == LinkKind::c2c) {
      if (version_ < NcclVersion{2, 19, 0}) return;  // not in its topology before
      std::optional<double> gbps;
      if (link.as_found) gbps = link.as_found->value / 1e9;
      // A type of its own since 2.26, before that it passed for an NVLink.
      const NcclPath type = version_ < NcclVersion{2, 26, 0} ? NcclPath::nvl : NcclPath::c2c;
      return connect(*a, *b, type, gbps, stand_in, why);
    }
    const auto gbps = link.kind == LinkKind::nvlink ? nvlink(link) : std::nullopt;
    connect(*a, *b, NcclPath::nvl, gbps, stand_in * link.width.value_or(1), why);
  }

  void join_cpus() {
    std::vector<std::size_t> cpus;
    for (std::size_t i = 0; i < out_.nodes.size(); ++i)
      if (machine_[out_.nodes[i].device].kind == DeviceKind::numa_node) cpus.push_back(i);
    for (std::size_t i = 0; i < cpus.size(); ++i)
      for (std::size_t j = i + 1; j < cpus.size(); ++j) {
        const CpuFacts* cpu = cpu_facts(machine_, out_.nodes[cpus[i]].device);
        connect(cpus[i], cpus[j], NcclPath::sys,
                cpu ? inter_cpu_gbps(*cpu, version_) : std::nullopt, 10, "CPU model unknown");
      }
  }

  const Machine& machine_;
  NcclVersion version_;
  Graph out_;
  std::map<DeviceId, const Link*> uplink_;
  std::optional<std::size_t> fabric_;  // node of the NVSwitches
};

// The type of a route that goes on over an edge.
NcclPath extended(const Graph& graph, std::size_t at, const Route& route, const Edge& edge) {
  const NodeKind from = graph.nodes[at].kind;
  const NodeKind to = graph.nodes[edge.to].kind;
  NcclPath type = edge.type;
  if (from == NodeKind::pci && to == NodeKind::pci) type = NcclPath::pxb;
  if (edge.type == NcclPath::pix && (from == NodeKind::cpu || to == NodeKind::cpu))
    type = NcclPath::phb;
  if (from == NodeKind::gpu && route.type == NcclPath::nvl && type == NcclPath::nvl)
    type = NcclPath::nvb;
  return std::max(route.type, type);
}

// GPUs relay for others only over NVLink, one hop, and since 2.8.
bool may_pass(const Graph& graph, std::size_t base, std::size_t at, const Route& route,
              const Edge& edge, NcclVersion version) {
  if (graph.nodes[at].kind == NodeKind::nic) return at == base;
  if (at == base || graph.nodes[at].kind != NodeKind::gpu) return true;
  return version >= NcclVersion{2, 8, 0} && edge.type == NcclPath::nvl &&
         graph.nodes[edge.to].kind == NodeKind::gpu && route.count <= 1;
}

// Until 2.29 a longer route had to be wider, whatever its type; 2.30 looks at the type first.
bool better(const Route& a, const Route& b, NcclVersion version) {
  if (version < NcclVersion{2, 30, 0})
    return (b.gbps == 0 || b.count >= a.count) && b.gbps < a.gbps;
  if (a.type != b.type) return a.type < b.type;
  if (a.gbps != b.gbps) return a.gbps > b.gbps;
  return a.count < b.count;
}

}  // namespace

Graph graph(const Machine& machine, NcclVersion version) {
  return Builder(machine, version).build();
}

std::vector<Route> routes(const Graph& graph, std::size_t base, NcclVersion version) {
  std::vector<Route> out(graph.nodes.size());
  out[base] = {NcclPath::loc, local_gbps, 0, false, {}};
  std::vector<std::size_t> now{base};
  // Every pass makes some route strictly better, and a best route has no node twice.
  for (std::size_t pass = 0; pass <= graph.nodes.size() && !now.empty(); ++pass) {
    std::vector<std::size_t> next;
    for (const std::size_t at : now) {
      const Route route = out[at];
      for (const Edge& edge : graph.nodes[at].edges) {
        if (!may_pass(graph, base, at, route, edge, version)) continue;
        Route longer{extended(graph, at, route, edge), std::min(route.gbps, edge.gbps),
                     route.count + 1, route.through_intel || graph.nodes[edge.to].intel,
                     route.unknown.empty() ? edge.unknown : route.unknown};
        if (!better(longer, out[edge.to], version)) continue;
        out[edge.to] = std::move(longer);
        if (std::find(next.begin(), next.end(), edge.to) == next.end()) next.push_back(edge.to);
      }
    }
    now = std::move(next);
  }
  return out;
}

}  // namespace railgauge::model::nccl
