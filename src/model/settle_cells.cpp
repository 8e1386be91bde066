// Links from matrix cells: NV# of nvidia-smi, XGMI of rocm-smi.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/settle_gpu.h"
#include "model/settle_steps.h"
#include "model/union_find.h"

namespace railgauge::model {
namespace {

// No GPU so far has more NVLinks (sm90, sm100: 18); more in one row of cells means a switch.
constexpr int most_nvlinks_per_gpu = 18;

struct Cell {
  DeviceId a;
  DeviceId b;
  int nvlinks = 0;
  SourceRef source;
};

struct CellGpu {
  int sum = 0;     // over peers
  int widest = 0;  // of its cells
  SourceRef source;
};

// NV# cells between GPUs of which no source gave links.
std::vector<Cell> loose_cells(const Machine& machine) {
  std::set<DeviceId> linked;
  for (const Link& link : machine.links)
    if (is_gpu_link(link.kind)) {
      linked.insert(link.a);
      linked.insert(link.b);
    }
  std::vector<Cell> out;
  for (const Pair& pair : machine.pairs) {
    if (!pair.smi || linked.contains(pair.a) || linked.contains(pair.b)) continue;
    if (machine[pair.a].kind != DeviceKind::gpu || machine[pair.b].kind != DeviceKind::gpu)
      continue;
    for (const auto& claim : pair.smi.claims()) {
      if (claim.value.kind != SmiClass::nv) continue;  // -mp output beside -m hides the links
      out.push_back({pair.a, pair.b, claim.value.nvlinks, claim.source});
      break;
    }
  }
  return out;
}

int links_of(const Machine& machine, DeviceId gpu, const Catalogue& catalogue) {
  const Device& device = machine[gpu];
  if (device.gpu->nvlink_count_max && *device.gpu->nvlink_count_max > 0)
    return *device.gpu->nvlink_count_max;
  const GpuBoard* board = catalogue.board(device);
  return board && board->nvlink_count ? *board->nvlink_count : most_nvlinks_per_gpu;
}

}  // namespace

void settle_cell_links(Machine& machine, const Catalogue& catalogue) {
  const auto cells = loose_cells(machine);
  std::map<DeviceId, CellGpu> gpus;
  UnionFind groups(machine.devices.size());
  for (const Cell& cell : cells) {
    for (const DeviceId id : {cell.a, cell.b}) {
      CellGpu& gpu = gpus[id];
      gpu.sum += cell.nvlinks;
      if (cell.nvlinks <= gpu.widest) continue;
      gpu.widest = cell.nvlinks;
      gpu.source = cell.source;
    }
    groups.join(cell.a.value, cell.b.value);
  }
  std::map<std::uint32_t, DeviceId> switches;  // by group
  for (const auto& [id, gpu] : gpus) {
    const std::uint32_t group = groups.find(id.value);
    if (gpu.sum <= links_of(machine, id, catalogue) || switches.contains(group)) continue;
    const SourceRef source = machine.sources.add(
        "inferred from " + std::string(machine.sources.name(gpu.source)), Trust::inferred);
    switches.emplace(group, machine.add(DeviceKind::nvswitch, source));
  }
  for (const auto& [id, gpu] : gpus) {
    const auto found = switches.find(groups.find(id.value));
    if (found == switches.end()) continue;
    Link& link = link_between(machine, id, found->second, LinkKind::nvlink, gpu.source);
    link.width.claim(gpu.widest, gpu.source);
  }
  for (const Cell& cell : cells) {
    if (switches.contains(groups.find(cell.a.value))) continue;
    Link& link = link_between(machine, cell.a, cell.b, LinkKind::nvlink, cell.source);
    link.width.claim(cell.nvlinks, cell.source);
  }
}

void settle_xgmi_cells(Machine& machine) {
  std::set<std::pair<DeviceId, DeviceId>> linked;
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::xgmi) linked.insert(std::minmax(link.a, link.b));
  for (const Pair& pair : machine.pairs) {
    if (!pair.rocm_link || *pair.rocm_link != "XGMI" || linked.contains({pair.a, pair.b})) continue;
    if (pair.rocm_hops && *pair.rocm_hops > 1) continue;  // through another GPU
    Link link;
    link.a = pair.a;
    link.b = pair.b;
    link.kind = LinkKind::xgmi;
    link.source = pair.rocm_link.source();
    link.width.refuse("rocm-smi does not say how many links", link.source);
    machine.links.push_back(std::move(link));
  }
}

namespace {

// NVLinks that end at this GPU, as found.
int nvlinks_at(const Machine& machine, DeviceId gpu) {
  int sum = 0;
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::nvlink && (link.a == gpu || link.b == gpu))
      sum += link.width.value_or(0);
  return sum;
}

void complete_width(Machine& machine, Link& link, DeviceId gpu, DeviceId other,
                    const Catalogue& catalogue) {
  const GpuFacts& facts = *machine[gpu].gpu;
  const GpuBoard* board = catalogue.board(machine[gpu]);
  Fact<int> most;
  take(most, facts.nvlink_count_max);
  if (board && board->nvlink_count)
    most.claim(*board->nvlink_count,
               machine.sources.add("catalogue: " + board->name, Trust::catalogue));
  if (!most || *most <= 0) return;
  const bool one_switch = machine[other].kind == DeviceKind::nvswitch &&
                          machine.of_kind(DeviceKind::nvswitch).size() == 1;
  // All links of the GPU go to the one switch; otherwise none is missing when the sum is complete.
  if (one_switch)
    link.width_possible.claim(*most, most.source());
  else if (link.width && !link.width_possible && nvlinks_at(machine, gpu) == *most)
    link.width_possible.claim(*link.width, most.source());
}

}  // namespace

void complete_from_boards(Machine& machine, Link& link, const Catalogue& catalogue) {
  for (const auto& [gpu, other] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
    if (machine[gpu].kind != DeviceKind::gpu) continue;
    const GpuBoard* board = catalogue.board(machine[gpu]);
    if (board && board->nvlink_version && !link.version)
      link.version.claim(*board->nvlink_version,
                         machine.sources.add("catalogue: " + board->name, Trust::catalogue));
    complete_width(machine, link, gpu, other, catalogue);
  }
}

}  // namespace railgauge::model
