#include "model/nccl_cost/machine_fabric.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "model/nccl_constants.h"
#include "model/path_finder.h"

namespace railgauge::model::nccl_cost {
namespace {

constexpr int most_adapters = 64;

std::vector<DeviceId> ranks_of(const Machine& machine, int count) {
  auto gpus = machine.of_kind(DeviceKind::gpu);
  std::stable_sort(gpus.begin(), gpus.end(), [&](DeviceId a, DeviceId b) {
    return machine[a].index.value_or(1 << 20) < machine[b].index.value_or(1 << 20);
  });
  gpus.resize(std::min(gpus.size(), static_cast<std::size_t>(std::max(count, 0))));
  return gpus;
}

// NVLinks of one GPU to the other ranks or to NVSwitches.
struct Links {
  int switched = 0;
  int direct = 0;
  int widest = 0;  // to one rank
  bool unknown = false;
};

// A GPU cannot have as many links as a matrix shows to all peers together: the same links lead to
// each of them, over NVSwitches that the matrix does not show.
int most_nvlinks(int compute_capability) {
  if (compute_capability >= 90) return 18;
  if (compute_capability >= 80) return 12;
  return compute_capability >= 70 ? 6 : 4;
}

void find_hidden_switch(Links& links, int compute_capability) {
  if (links.direct <= most_nvlinks(compute_capability)) return;
  links.switched = std::max(links.switched, links.widest);
}

const Fact<int>& width_of(const Link& link, RateKind rates) {
  return rates == RateKind::nominal && link.width_possible ? link.width_possible : link.width;
}

std::map<DeviceId, Links> nvlinks(const Machine& machine, const std::vector<DeviceId>& ranks,
                                  RateKind rates) {
  std::map<DeviceId, Links> out;
  for (const DeviceId rank : ranks) out[rank];
  for (const Link& link : machine.links) {
    if (link.kind != LinkKind::nvlink) continue;
    const auto& width = width_of(link, rates);
    for (const auto& [here, there] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
      const auto found = out.find(here);
      if (found == out.end()) continue;
      const bool to_switch = machine[there].kind == DeviceKind::nvswitch;
      if (!to_switch && !out.contains(there)) continue;
      found->second.unknown |= !width.known();
      (to_switch ? found->second.switched : found->second.direct) += width.value_or(0);
      if (!to_switch) found->second.widest = std::max(found->second.widest, width.value_or(0));
    }
  }
  return out;
}

// The narrowest of the PCIe paths around a ring in order of index.
Reading<double> pcie_ring(const Machine& machine, const std::vector<DeviceId>& ranks,
                          RateKind rates, NcclVersion version) {
  const PathFinder finder(machine);
  std::optional<double> narrowest;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const DeviceId from = ranks[i];
    const DeviceId to = ranks[(i + 1) % ranks.size()];
    const auto rate = finder.nccl_bandwidth(from, to, version);
    if (!rate) return Reading<double>::not_reported("PCIe path between GPUs: " + rate.why());
    double gbps = rate->value / 1e9;
    const auto path = finder.best_path(from, to);
    if (rates == RateKind::nominal && path && path->as_found && path->nominal &&
        path->as_found->value > 0)
      gbps *= path->nominal->value / path->as_found->value;
    narrowest = std::min(narrowest.value_or(gbps), gbps);
  }
  if (!narrowest) return Reading<double>::not_reported("no GPUs");
  return *narrowest;
}

Reading<Fabric> with_network(Fabric fabric, const Job& job, const Reading<Adapters>& own) {
  if (job.nodes <= 1) return fabric;
  if (!job.adapters && !own) return Reading<Fabric>::not_reported(own.why());
  const Adapters adapters = job.adapters ? *job.adapters : *own;
  fabric.nics = adapters.count;
  fabric.nic_gbps = adapters.gbps;
  return fabric;
}

Fabric shape_of(const Job& job, int compute_capability) {
  Fabric out;
  out.compute_capability = compute_capability;
  out.gpus_per_node = job.gpus_per_node;
  out.nodes = job.nodes;
  out.version = job.version;
  return out;
}

// DGX-2 has 16 GPUs on its switches, a rack of GB200 or GB300 72 in one domain, all others 8.
int most_gpus_of_a_node(const GpuBoard& board) {
  if (contains(board.name, "GB200") || contains(board.name, "GB300")) return 72;
  return contains(board.name, "SXM3") ? 16 : 8;
}

bool has_amd_cpu(const Machine& machine) {
  const auto packages = machine.of_kind(DeviceKind::package);
  return std::any_of(packages.begin(), packages.end(), [&](DeviceId id) {
    return machine[id].cpu && machine[id].cpu->vendor.value_or("") == "AuthenticAMD";
  });
}

// What NCCL counts for the adapter's PCIe link; nothing where it is unknown.
std::optional<double> pcie_of(const Device& nic, RateKind rates) {
  if (!nic.pci) return std::nullopt;
  const auto& link = nic.pci->link;
  const bool nominal = rates == RateKind::nominal && link.max_speed && link.max_width;
  const auto& speed = nominal ? link.max_speed : link.current_speed;
  const auto& width = nominal ? link.max_width : link.current_width;
  if (!speed || !width) return std::nullopt;
  return nccl::pcie_gbps(*speed, *width);
}

}  // namespace

std::optional<Adapters> parse_adapters(std::string_view text) {
  const auto parts = split(text, 'x');
  if (parts.size() != 2) return std::nullopt;
  std::string_view rate = parts[1];
  const auto end = rate.find_first_not_of("0123456789.");
  const std::string unit = lower(end == std::string_view::npos ? "" : rate.substr(end));
  if (!unit.empty() && unit != "g" && unit != "gb/s" && unit != "gbps" && unit != "gbit")
    return std::nullopt;
  const auto count = parse_int(parts[0]);
  const auto gigabits = parse_double(rate.substr(0, end));
  if (!count || !gigabits || *count < 1 || *count > most_adapters) return std::nullopt;
  if (!(*gigabits > 0) || *gigabits > 10'000) return std::nullopt;
  return Adapters{static_cast<int>(*count), *gigabits / 8};
}

Reading<Adapters> adapters_of(const Machine& machine, RateKind rates) {
  std::vector<double> ports;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const Device& nic = machine[id];
    if (!nic.nic) continue;
    for (const NicPort& port : nic.nic->ports) {
      if (!port.rate) continue;
      const bool down = equal_nocase(port.state.value_or("ACTIVE"), "DOWN");
      if (down && rates == RateKind::as_found) continue;
      const double rate = port.rate->value / 1e9;
      ports.push_back(std::min(rate, pcie_of(nic, rates).value_or(rate)));
    }
  }
  if (ports.empty())
    return Reading<Adapters>::not_reported(
        "rates of the network adapters (give --nic 8x400G, or ibstat)");
  const double highest = *std::max_element(ports.begin(), ports.end());
  Adapters out;
  out.gbps = highest;
  for (const double rate : ports)  // storage and management adapters are slower than half
    if (rate > highest / 2 + 1e-9) {
      ++out.count;
      out.gbps = std::min(out.gbps, rate);
    }
  return out;
}

Reading<Fabric> fabric_of(const Machine& machine, RateKind rates, const Job& job) {
  const auto ranks = ranks_of(machine, job.gpus_per_node);
  if (ranks.empty() || std::cmp_less(ranks.size(), job.gpus_per_node))
    return Reading<Fabric>::not_reported("the machine shows " + std::to_string(ranks.size()) +
                                         " GPUs, the job used " +
                                         std::to_string(job.gpus_per_node) + " a node");
  const GpuFacts& first = *machine[ranks.front()].gpu;
  if (!first.compute_capability)
    return Reading<Fabric>::not_reported(
        "compute capability of the GPUs (only NVIDIA's NCCL is "
        "modelled)");
  Fabric out = shape_of(job, *first.compute_capability);
  out.amd_cpu = has_amd_cpu(machine);
  if (rates == RateKind::as_found) out.sm_clock_mhz = first.sm_clock_max_mhz.value_or(0);
  int narrowest = 1 << 20;
  bool switched = true;
  for (auto [rank, links] : nvlinks(machine, ranks, rates)) {
    find_hidden_switch(links, out.compute_capability);
    if (links.unknown) return Reading<Fabric>::not_reported("NVLinks of " + machine[rank].id);
    narrowest = std::min(narrowest, links.switched > 0 ? links.switched : links.direct);
    switched &= links.switched > 0;
  }
  out.nvlink = narrowest > 0;
  if (out.nvlink) {
    out.multicast = switched && out.compute_capability >= 90;
    out.gpu_gbps = narrowest * nccl::nvlink_gbps(out.compute_capability, job.version);
  } else if (job.gpus_per_node > 1) {
    const auto pcie = pcie_ring(machine, ranks, rates, job.version);
    if (!pcie) return Reading<Fabric>::not_reported(pcie.why());
    out.gpu_gbps = *pcie;
  }
  return with_network(out, job, job.nodes > 1 ? adapters_of(machine, rates) : Reading<Adapters>());
}

Reading<Fabric> fabric_of(const GpuBoard& board, const Job& job) {
  if (board.compute_capability < 60)
    return Reading<Fabric>::not_reported("only NVIDIA's NCCL is modelled, not " + board.name);
  if (job.gpus_per_node > most_gpus_of_a_node(board))
    return Reading<Fabric>::not_reported("on how many nodes " + std::to_string(job.gpus_per_node) +
                                         " GPUs ran (give --nodes)");
  Fabric out = shape_of(job, board.compute_capability);
  // Bridges join two boards or four; which ones, a name does not say.
  const bool bridged = contains(board.name, "PCIe") || contains(board.name, "NVL");
  out.nvlink = board.nvlink_count.value_or(0) > 0 && !bridged;
  if (out.nvlink) {
    out.multicast = board.compute_capability >= 90;
    out.gpu_gbps = *board.nvlink_count * nccl::nvlink_gbps(board.compute_capability, job.version);
  } else {
    if (bridged || job.gpus_per_node < 2)
      return Reading<Fabric>::not_reported("which " + board.name + " are bridged");
    return Reading<Fabric>::not_reported("the PCIe tree between " + board.name);
  }
  return with_network(
      out, job,
      Reading<Adapters>::not_reported("rates of the network adapters (give --nic 8x400G)"));
}

}  // namespace railgauge::model::nccl_cost
