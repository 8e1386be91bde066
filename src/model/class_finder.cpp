#include "model/class_finder.h"

#include <algorithm>

#include "model/tree_roles.h"

namespace railgauge::model {
namespace {

using Class = Reading<PathClass>;

Class plain(SmiClass kind) { return PathClass{kind, 0}; }
Class unknown(std::string why) { return Class::not_reported(std::move(why)); }

std::uint64_t key(DeviceId a, DeviceId b) {
  if (b < a) std::swap(a, b);
  return std::uint64_t{a.value} << 32 | b.value;
}

}  // namespace

ClassFinder::ClassFinder(const Machine& machine) : machine_(machine) {
  index_tree();
  index_nvlinks();
  pairs_.reserve(machine.pairs.size());
  for (const Pair& p : machine.pairs) pairs_.try_emplace(key(p.a, p.b), &p);
}

void ClassFinder::index_tree() {
  const std::size_t size = machine_.devices.size();
  enum class State : std::uint8_t { untouched, on_way, done };
  std::vector<State> state(size, State::untouched);
  up_.resize(size);
  depth_.resize(size);
  switch_.resize(size);
  std::vector<std::uint32_t> way;
  for (std::uint32_t start = 0; start < size; ++start) {
    way.clear();
    for (std::uint32_t at = start; state[at] == State::untouched;) {
      state[at] = State::on_way;
      way.push_back(at);
      const auto& parent = machine_.devices[at].parent;
      if (!parent || state[parent->value] == State::on_way) break;
      up_[at] = parent;
      at = parent->value;
    }
    for (auto it = way.rbegin(); it != way.rend(); ++it) {
      state[*it] = State::done;
      depth_[*it] = up_[*it] ? depth_[up_[*it]->value] + 1 : 0;
    }
  }
  for (const DeviceId id : machine_.all()) switch_[id.value] = is_switch(machine_, id);
}

void ClassFinder::index_nvlinks() {
  nvlinks_.resize(machine_.devices.size());
  for (const Link& link : machine_.links) {
    if (link.kind != LinkKind::nvlink || !link.width) continue;
    nvlinks_[link.a.value].push_back({link.b, *link.width});
    nvlinks_[link.b.value].push_back({link.a, *link.width});
  }
  for (auto& all : nvlinks_) {
    std::sort(all.begin(), all.end(),
              [](const NvLinks& x, const NvLinks& y) { return x.to < y.to; });
    std::vector<NvLinks> summed;
    for (const NvLinks& one : all)
      if (!summed.empty() && summed.back().to == one.to)
        summed.back().count += one.count;
      else
        summed.push_back(one);
    all = std::move(summed);
  }
}

std::optional<DeviceId> ClassFinder::nearest_common(DeviceId a, DeviceId b) const {
  std::optional<DeviceId> x = a;
  std::optional<DeviceId> y = b;
  while (depth_[x->value] > depth_[y->value]) x = up(*x);
  while (depth_[y->value] > depth_[x->value]) y = up(*y);
  while (x != y) {
    x = up(*x);
    y = up(*y);
  }
  return x;
}

bool ClassFinder::has_above(DeviceId id, DeviceKind kind) const {
  for (std::optional<DeviceId> at = id; at; at = up(*at))
    if (machine_[*at].kind == kind) return true;
  return false;
}

int ClassFinder::switches_below(DeviceId id, DeviceId end) const {
  int count = 0;
  for (DeviceId at = id; at != end; at = *up(at)) count += switch_[at.value];
  return count;
}

// The device hangs from its NUMA node only because its node is known; what lies between is not.
bool ClassFinder::steps_missing(DeviceId id) const {
  for (DeviceId at = id; up(at); at = *up(at)) {
    if (machine_[*up(at)].kind != DeviceKind::numa_node) continue;
    const Device& device = machine_[at];
    return device.kind != DeviceKind::host_bridge && device.parent_source.trust <= Trust::inferred;
  }
  return false;
}

bool ClassFinder::placed_by_matrix(DeviceId id) const {
  for (std::optional<DeviceId> at = id; at; at = up(*at)) {
    const Device& device = machine_[*at];
    if (device.parent && device.parent_source.trust <= Trust::inferred &&
        device.kind != DeviceKind::host_bridge && device.kind != DeviceKind::numa_node)
      return true;
  }
  return false;
}

Class ClassFinder::without_common(DeviceId a, DeviceId b) const {
  if (has_above(a, DeviceKind::numa_node) && has_above(b, DeviceKind::numa_node))
    return plain(SmiClass::sys);
  if (has_above(a, DeviceKind::host_bridge) && has_above(b, DeviceKind::host_bridge))
    return unknown("NUMA nodes unknown: NODE or SYS");
  const auto& loose = machine_[up(a) ? b : a];
  return unknown("the place of " + (loose.id.empty() ? std::string("a device") : loose.id) +
                 " in the PCIe tree is unknown");
}

Class ClassFinder::below_numa_node(DeviceId a, DeviceId b) const {
  if (steps_missing(a) || steps_missing(b))
    return unknown("same NUMA node, but the PCIe tree between is unknown");
  const bool bridges =
      has_above(a, DeviceKind::host_bridge) || has_above(b, DeviceKind::host_bridge);
  // NCCL's files name no host bridge; the CPU is where the two meet, which NCCL calls PHB.
  return plain(bridges ? SmiClass::node : SmiClass::phb);
}

// NVLinks that lead from one GPU straight to the other, and through each switch both are on.
int ClassFinder::bonded_nvlinks(DeviceId a, DeviceId b) const {
  int sum = 0;
  const auto& of_b = nvlinks_[b.value];
  auto there = of_b.begin();
  for (const NvLinks& here : nvlinks_[a.value]) {
    if (here.to == b) sum += here.count;
    if (machine_[here.to].kind != DeviceKind::nvswitch) continue;
    while (there != of_b.end() && there->to < here.to) ++there;
    if (there != of_b.end() && there->to == here.to) sum += std::min(here.count, there->count);
  }
  return sum;
}

const Pair* ClassFinder::pair(DeviceId a, DeviceId b) const {
  const auto found = pairs_.find(key(a, b));
  return found == pairs_.end() ? nullptr : found->second;
}

Class ClassFinder::pcie_class(DeviceId a, DeviceId b) const {
  if (a == b) return plain(SmiClass::self);
  const auto common = nearest_common(a, b);
  if (!common) return without_common(a, b);
  switch (machine_[*common].kind) {
    case DeviceKind::host_bridge: return plain(SmiClass::phb);
    case DeviceKind::numa_node: return below_numa_node(a, b);
    case DeviceKind::package: return plain(SmiClass::sys);
    default: break;
  }
  const int switches =
      switches_below(a, *common) + switches_below(b, *common) + switch_[common->value];
  return plain(switches > 1 ? SmiClass::pxb : SmiClass::pix);
}

Class ClassFinder::smi_class(DeviceId a, DeviceId b) const {
  if (a == b) return plain(SmiClass::self);
  if (const int nvlinks = bonded_nvlinks(a, b); nvlinks > 0)
    return PathClass{SmiClass::nv, nvlinks};
  const Pair* cell = pair(a, b);
  const bool claimed = cell && cell->smi;
  // A tree inferred from cells is worth less than the cell itself.
  if (claimed && (placed_by_matrix(a) || placed_by_matrix(b))) return *cell->smi;
  const Class by_tree = pcie_class(a, b);
  // A file that names no host bridge, as NCCL's, cannot tell NODE from PHB; the cell can.
  const bool no_bridges =
      !has_above(a, DeviceKind::host_bridge) && !has_above(b, DeviceKind::host_bridge);
  if (claimed && no_bridges && by_tree && by_tree->kind == SmiClass::phb) return *cell->smi;
  return by_tree || !claimed ? by_tree : Class(*cell->smi);
}

}  // namespace railgauge::model
