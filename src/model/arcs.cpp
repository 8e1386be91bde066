#include "model/arcs.h"

namespace railgauge::model {

Arcs::Arcs(const Machine& machine, const std::set<DeviceId>& ends) {
  for (const DeviceId id : machine.all()) {
    device_.push_back(id);
    down_.push_back(id.value);
  }
  for (const DeviceId id : machine.of_kind(DeviceKind::package)) {
    if (ends.contains(id)) continue;
    down_[id.value] = device_.size();
    device_.push_back(id);
  }
  arcs_.resize(device_.size());
  for (std::size_t i = 0; i < machine.links.size(); ++i) {
    const Link& link = machine.links[i];
    if (link.a == link.b) continue;
    add(machine, i, link.a, link.b);
    add(machine, i, link.b, link.a);
  }
}

// Into a package: from its NUMA nodes to the way up, over a socket link to the way down, from
// anything else to both. Out of one: to its NUMA nodes from the way down, over a socket link and to
// anything else from both.
void Arcs::add(const Machine& machine, std::size_t link, DeviceId a, DeviceId b) {
  const bool from_node = machine[a].kind == DeviceKind::numa_node;
  const bool to_node = machine[b].kind == DeviceKind::numa_node;
  const bool socket = machine.links[link].kind == LinkKind::socket;
  std::vector<std::size_t> starts{down(a)};
  if (down(a) != node(a) && !to_node) starts.push_back(node(a));
  std::vector<std::size_t> targets;
  if (!from_node || socket) targets.push_back(down(b));
  if (down(b) == node(b))
    targets = {node(b)};
  else if (!socket)
    targets.push_back(node(b));
  for (const std::size_t start : starts)
    for (const std::size_t target : targets) arcs_[start].push_back({target, link});
}

}  // namespace railgauge::model
