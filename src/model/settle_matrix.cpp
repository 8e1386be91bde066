// The tree behind a matrix. Its classes are distances of a hierarchy, so single-linkage clusters
// give the hierarchy back: what is PIX together shares a switch, what is PXB together an outer
// switch over inner ones, PHB a host bridge, NODE a NUMA node. Where the cells do not fit any tree,
// settle_remarks() finds those that the result contradicts.
#include <array>
#include <map>
#include <set>

#include "model/settle_steps.h"
#include "model/union_find.h"

namespace railgauge::model {
namespace {

constexpr std::array levels{SmiClass::pix, SmiClass::pxb, SmiClass::phb, SmiClass::node};
constexpr std::size_t pix = 0, pxb = 1, phb = 2, node = 3;

struct Cluster {
  std::vector<DeviceId> members;
  SmiClass farthest = SmiClass::self;  // of all cells that members have, with anybody
  SmiClass widest = SmiClass::self;    // of the cells inside
  SourceRef source;                    // one of the cells
  std::set<DeviceId> met;              // devices that members have a cell with
  std::optional<DeviceId> container;
};

class MatrixTree {
 public:
  explicit MatrixTree(Machine& machine) : machine_(machine) { read_cells(); }

  void build() {
    for (const DeviceId id : devices_)
      if (!machine_[id].parent) place(id);
  }

 private:
  void read_cells() {
    std::set<DeviceId> seen;
    for (const Pair& pair : machine_.pairs) {
      if (!pair.smi || pair.smi->kind == SmiClass::nv || pair.smi->kind == SmiClass::self) continue;
      seen.insert(pair.a);
      seen.insert(pair.b);
      for (std::size_t level = 0; level < levels.size(); ++level)
        if (pair.smi->kind <= levels[level]) sets_[level].join(pair.a.value, pair.b.value);
    }
    devices_.assign(seen.begin(), seen.end());
    for (std::size_t level = 0; level < levels.size(); ++level)
      for (const DeviceId id : devices_) cluster(level, id).members.push_back(id);
    for (const Pair& pair : machine_.pairs)
      if (pair.smi && pair.smi->kind > SmiClass::nv)
        for (std::size_t level = 0; level < levels.size(); ++level) note_cell(level, pair);
  }

  void note_cell(std::size_t level, const Pair& pair) {
    for (const DeviceId id : {pair.a, pair.b}) {
      Cluster& c = cluster(level, id);
      c.farthest = std::max(c.farthest, pair.smi->kind);
      if (c.source.index == 0) c.source = pair.smi.source();
      c.met.insert(pair.a);
      c.met.insert(pair.b);
    }
    if (sets_[level].find(pair.a.value) != sets_[level].find(pair.b.value)) return;
    Cluster& c = cluster(level, pair.a);
    c.widest = std::max(c.widest, std::min(pair.smi->kind, levels[level]));
  }

  Cluster& cluster(std::size_t level, DeviceId id) {
    return clusters_[level][sets_[level].find(id.value)];
  }

  SourceRef inferred_from(const Cluster& c) {
    return machine_.sources.add("inferred from " + std::string(machine_.sources.name(c.source)),
                                Trust::inferred);
  }

  // The chain of containers over a device, made or found on the way, until one has a parent.
  void place(DeviceId id) {
    DeviceId at = id;
    for (std::size_t level = 0; level < levels.size(); ++level) {
      Cluster& c = cluster(level, id);
      if (!c.container && needed(level, id)) c.container = anchor_or_make(level, c);
      if (!c.container || *c.container == at) continue;
      machine_[at].parent = *c.container;
      machine_[at].parent_source = inferred_from(c);
      at = *c.container;
      if (machine_[at].parent) return;
    }
  }

  bool needed(std::size_t level, DeviceId id) {
    const Cluster& c = cluster(level, id);
    switch (level) {
      // Several inner clusters under one outer switch: each has a switch of its own, or they would
      // be PIX.
      case pix: return c.members.size() > 1 || cluster(pxb, id).members.size() > c.members.size();
      case pxb: return c.widest == SmiClass::pxb;
      case phb: return c.farthest >= SmiClass::phb;
      default: return number_of(c).known() || is_a_node_of_its_own(c);
    }
  }

  // A cell says that it is apart from each of the others; a matrix that was cut says less.
  bool is_a_node_of_its_own(const Cluster& c) const {
    return c.farthest >= SmiClass::node && c.met.size() == devices_.size();
  }

  DeviceId anchor_or_make(std::size_t level, const Cluster& c) {
    for (const DeviceId member : c.members)
      if (const auto found = anchor(level, member)) return *found;
    if (level == node) return numa_node(c);
    DeviceKind kind = level == phb ? DeviceKind::host_bridge : DeviceKind::pcie_switch;
    if (level == pix && one_card(c)) kind = DeviceKind::root_port;
    return machine_.add(kind, inferred_from(c));
  }

  // The ancestor of a member that already has its place in the tree, fit for this level.
  std::optional<DeviceId> anchor(std::size_t level, DeviceId member) const {
    if (!machine_[member].parent || made_here(machine_[member].parent_source)) return std::nullopt;
    std::optional<DeviceId> found;
    const auto chain = ancestry(machine_, member);
    for (std::size_t i = 1; i < chain.size(); ++i) {
      const DeviceKind kind = machine_[chain[i]].kind;
      const bool fits = level == pix
                            ? kind == DeviceKind::pcie_switch || kind == DeviceKind::pcie_bridge ||
                                  kind == DeviceKind::root_port
                        : level == pxb ? kind == DeviceKind::pcie_switch
                        : level == phb ? kind == DeviceKind::host_bridge
                                       : kind == DeviceKind::numa_node;
      if (!fits) continue;
      found = chain[i];
      if (level != pxb) break;  // the outermost switch for PXB, the nearest otherwise
    }
    return found;
  }

  bool made_here(SourceRef source) const {
    return source.trust == Trust::inferred &&
           machine_.sources.name(source).starts_with("inferred from ");
  }

  // Functions of one card share a slot, not a switch.
  bool one_card(const Cluster& c) const {
    const auto slot = [&](DeviceId id) -> std::optional<PciAddress> {
      if (!machine_[id].address) return std::nullopt;
      PciAddress address = *machine_[id].address;
      address.function = 0;
      return address;
    };
    const auto first = slot(c.members.front());
    return first && std::all_of(c.members.begin(), c.members.end(),
                                [&](DeviceId id) { return slot(id) == first; });
  }

  Fact<int> number_of(const Cluster& c) const {
    for (const DeviceId id : c.members)
      if (machine_[id].numa_node) return machine_[id].numa_node;
    return {};
  }

  DeviceId numa_node(const Cluster& c) {
    const Fact<int> number = number_of(c);
    if (number)
      if (const auto found = machine_.indexed(DeviceKind::numa_node, *number)) return *found;
    const DeviceId id = machine_.add(DeviceKind::numa_node, inferred_from(c));
    if (number) machine_[id].index.claim(*number, number.source());
    return id;
  }

  Machine& machine_;
  std::vector<DeviceId> devices_;
  std::array<UnionFind, 4> sets_{
      UnionFind(machine_.devices.size()), UnionFind(machine_.devices.size()),
      UnionFind(machine_.devices.size()), UnionFind(machine_.devices.size())};
  std::array<std::map<std::uint32_t, Cluster>, 4> clusters_;
};

}  // namespace

void settle_matrix_tree(Machine& machine) { MatrixTree(machine).build(); }

}  // namespace railgauge::model
