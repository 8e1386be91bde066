// Path type and bandwidth as NCCL would compute them.
#include <algorithm>

#include "model/nccl_constants.h"
#include "model/nccl_graph.h"
#include "model/paths.h"

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

Reading<Route> gpu_to_nic(const Machine& machine, const nccl::Graph& graph, std::size_t gpu,
                          std::size_t nic, NcclVersion version) {
  const auto from_gpu = nccl::routes(graph, gpu, version);
  const auto from_nic = nccl::routes(graph, nic, version);
  const DeviceId nic_id = graph.nodes[nic].device;
  Route route = to_nic(machine, from_gpu[nic], nic_id);
  if (version >= NcclVersion{2, 27, 0}) use_c2c(graph, from_gpu, from_nic, route);
  if (version >= NcclVersion{2, 12, 0})
    use_pxn(machine, graph, from_gpu, from_nic, gpu, nic_id, route);
  const bool no_gpudirect = refused(machine[graph.nodes[gpu].device].gpu->gpudirect) ||
                            refused(machine[nic_id].nic->gpudirect);
  if (no_gpudirect && route.type < NcclPath::phb && route.type != NcclPath::pxn)
    route.type = NcclPath::phb;  // staged through host memory
  return route;
}

Reading<Route> nccl_route(const Machine& machine, DeviceId a, DeviceId b, NcclVersion version) {
  if (machine[a].kind == DeviceKind::nic) std::swap(a, b);
  const DeviceKind other = machine[b].kind;
  if (machine[a].kind != DeviceKind::gpu || (other != DeviceKind::gpu && other != DeviceKind::nic))
    return unknown("NCCL has paths from GPUs to GPUs and NICs only");
  const nccl::Graph graph = nccl::graph(machine, version);
  const std::size_t from = graph.node_of.at(a);
  const std::size_t to = graph.node_of.at(b);
  Reading<Route> route = other == DeviceKind::nic
                             ? gpu_to_nic(machine, graph, from, to, version)
                             : Reading<Route>(nccl::routes(graph, from, version)[to]);
  if (route->type == NcclPath::dis)
    return unknown("the CPU that " + machine[a].id + " or " + machine[b].id +
                   " hangs from is unknown");
  return route;
}

// Devices that hang from a NUMA node only because their node is known have no PCIe path to judge.
bool place_unknown(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  return device.parent && machine[*device.parent].kind == DeviceKind::numa_node &&
         device.parent_source.trust <= Trust::inferred;
}

}  // namespace

Reading<NcclPath> nccl_path(const Machine& machine, DeviceId a, DeviceId b, NcclVersion version) {
  if (a == b) return NcclPath::loc;
  const auto route = nccl_route(machine, a, b, version);
  if (!route) return Reading<NcclPath>::not_reported(route.why());
  if (route->type == NcclPath::phb && (place_unknown(machine, a) || place_unknown(machine, b)))
    return Reading<NcclPath>::not_reported("same NUMA node, but the PCIe tree between is unknown");
  return route->type;
}

Reading<BytesPerSecond> nccl_bandwidth(const Machine& machine, DeviceId a, DeviceId b,
                                       NcclVersion version) {
  if (a == b) return gigabytes_per_second(nccl::local_gbps);
  const auto route = nccl_route(machine, a, b, version);
  if (!route) return Reading<BytesPerSecond>::not_reported(route.why());
  if (!route->unknown.empty()) return Reading<BytesPerSecond>::not_reported(route->unknown);
  const bool slowed = route->type == NcclPath::phb && route->through_intel;
  return gigabytes_per_second(slowed ? route->gbps / nccl::intel_p2p_overhead : route->gbps);
}

}  // namespace railgauge::model
