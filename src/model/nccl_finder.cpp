// Path type and bandwidth as NCCL would compute them.
#include "model/nccl_finder.h"

#include <algorithm>

#include "model/nccl_constants.h"

namespace railgauge::model {
namespace {

using nccl::Route;

Reading<Route> unknown(std::string why) { return Reading<Route>::not_reported(std::move(why)); }

double net_gbps(const Device& nic) {
  double sum = 0;
  for (const NicPort& port : nic.nic->ports)
    if (port.rate) sum += port.rate->value / 1e9;
  return sum;
}

// Route from a GPU to a NIC, with the NIC's port as its last edge.
Route to_nic(const Machine& machine, Route route, DeviceId nic) {
  const double rate = net_gbps(machine[nic]);
  if (rate > 0)
    route.gbps = std::min(route.gbps, rate);
  else if (route.unknown.empty())
    route.unknown = "the port rate of " + machine[nic].id + " is unknown";
  return route;
}

bool refused(const Fact<bool>& fact) { return fact && !*fact; }

// C2C to the CPU and PCIe from there, for the NICs nearest to the GPU.
void use_c2c(const nccl::Graph& graph, const std::vector<Route>& from_gpu,
             const std::vector<Route>& from_nic, Route& route) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].kind == nccl::NodeKind::cpu && from_gpu[i].type == NcclPath::c2c &&
        from_nic[i].type == NcclPath::phb)
      route.type = std::min(route.type, NcclPath::p2c);
}

// Another GPU on NVLink that is nearest to the NIC relays (PXN), since 2.12.
void use_pxn(const Machine& machine, const nccl::Graph& graph, const std::vector<Route>& from_gpu,
             const std::vector<Route>& from_nic, std::size_t gpu, DeviceId nic, Route& route) {
  std::optional<std::size_t> local;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].kind != nccl::NodeKind::gpu) continue;
    const auto nearer = [&](std::size_t a, std::size_t b) {
      return std::pair(from_nic[a].type, -from_nic[a].gbps) <
             std::pair(from_nic[b].type, -from_nic[b].gbps);
    };
    if (!local || nearer(i, *local)) local = i;
  }
  if (!local || *local == gpu) return;
  const Route peer = to_nic(machine, from_nic[*local], nic);
  const Route& bond = from_gpu[*local];
  if (refused(machine[graph.nodes[*local].device].gpu->gpudirect) ||
      refused(machine[nic].nic->gpudirect))
    return;
  if (peer.type > NcclPath::pxb || bond.type > NcclPath::nvl) return;
  if (peer.gbps <= route.gbps && route.type <= NcclPath::pxn) return;
  route.type = NcclPath::pxn;
  route.gbps = std::min(peer.gbps, bond.gbps);
  route.unknown = peer.unknown.empty() ? bond.unknown : peer.unknown;
  route.through_intel = false;
}

// Devices that hang from a NUMA node only because their node is known have no PCIe path to judge.
bool place_unknown(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  return device.parent && machine[*device.parent].kind == DeviceKind::numa_node &&
         device.parent_source.trust <= Trust::inferred;
}

}  // namespace

const nccl::Graph& NcclFinder::graph(NcclVersion version) const {
  if (version_ != version) {
    graph_ = nccl::graph(machine_, version);
    routes_.assign(graph_.nodes.size(), {});
    kept_ = 0;
    version_ = version;
  }
  return graph_;
}

const std::vector<Route>& NcclFinder::routes(std::size_t base, std::size_t other) const {
  auto& out = routes_[base];
  if (!out.empty()) return out;
  constexpr std::size_t most_kept = 1 << 20;  // routes: some 100 MB
  if (kept_ + graph_.nodes.size() > most_kept) {
    for (std::size_t i = 0; i < routes_.size(); ++i)
      if (i != other) routes_[i] = {};
    kept_ = graph_.nodes.size();
  }
  kept_ += graph_.nodes.size();
  out = nccl::routes(graph_, base, *version_);
  return out;
}

Route NcclFinder::to_far_nic(std::size_t gpu, std::size_t nic) const {
  const auto& from_gpu = routes(gpu, nic);
  const auto& from_nic = routes(nic, gpu);
  const DeviceId nic_id = graph_.nodes[nic].device;
  Route route = to_nic(machine_, from_gpu[nic], nic_id);
  if (*version_ >= NcclVersion{2, 27, 0}) use_c2c(graph_, from_gpu, from_nic, route);
  if (*version_ >= NcclVersion{2, 12, 0})
    use_pxn(machine_, graph_, from_gpu, from_nic, gpu, nic_id, route);
  const bool no_gpudirect = refused(machine_[graph_.nodes[gpu].device].gpu->gpudirect) ||
                            refused(machine_[nic_id].nic->gpudirect);
  if (no_gpudirect && route.type < NcclPath::phb && route.type != NcclPath::pxn)
    route.type = NcclPath::phb;  // staged through host memory
  return route;
}

Reading<Route> NcclFinder::route(DeviceId a, DeviceId b, NcclVersion version) const {
  if (machine_[a].kind == DeviceKind::nic) std::swap(a, b);
  const DeviceKind other = machine_[b].kind;
  if (machine_[a].kind != DeviceKind::gpu || (other != DeviceKind::gpu && other != DeviceKind::nic))
    return unknown("NCCL has paths from GPUs to GPUs and NICs only");
  const nccl::Graph& all = graph(version);
  const std::size_t from = all.node_of.at(a);
  const std::size_t to = all.node_of.at(b);
  Route out = other == DeviceKind::nic ? to_far_nic(from, to) : routes(from, to)[to];
  if (out.type == NcclPath::dis)
    return unknown("the CPU that " + machine_[a].id + " or " + machine_[b].id +
                   " hangs from is unknown");
  return out;
}

Reading<NcclPath> NcclFinder::path(DeviceId a, DeviceId b, NcclVersion version) const {
  if (a == b) return NcclPath::loc;
  const auto found = route(a, b, version);
  if (!found) return Reading<NcclPath>::not_reported(found.why());
  if (found->type == NcclPath::phb && (place_unknown(machine_, a) || place_unknown(machine_, b)))
    return Reading<NcclPath>::not_reported("same NUMA node, but the PCIe tree between is unknown");
  return found->type;
}

Reading<BytesPerSecond> NcclFinder::bandwidth(DeviceId a, DeviceId b, NcclVersion version) const {
  if (a == b) return gigabytes_per_second(nccl::local_gbps);
  const auto found = route(a, b, version);
  if (!found) return Reading<BytesPerSecond>::not_reported(found.why());
  if (!found->unknown.empty()) return Reading<BytesPerSecond>::not_reported(found->unknown);
  const bool slowed = found->type == NcclPath::phb && found->through_intel;
  return gigabytes_per_second(slowed ? found->gbps / nccl::intel_p2p_overhead : found->gbps);
}

}  // namespace railgauge::model
