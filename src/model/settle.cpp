#include "model/settle.h"

#include <algorithm>

#include "model/settle_steps.h"

namespace railgauge::model {

void settle(Machine& machine, const Catalogue& catalogue) {
  cut_parent_cycles(machine);
  settle_pcie_tree(machine);
  cut_parent_cycles(machine);
  settle_numa_nodes(machine);
  settle_matrix_tree(machine);
  cut_parent_cycles(machine);
  settle_upper_tree(machine);
  settle_bridge_kinds(machine);
  settle_lone_endpoints(machine);
  settle_tree_links(machine, catalogue);
  settle_socket_links(machine);
  settle_gpu_links(machine, catalogue);
  settle_ids(machine);
  settle_rates(machine, catalogue);
  settle_remarks(machine);
}

void remark_once(Machine& machine, RemarkLevel level, std::string text, SourceRef source) {
  const auto same = std::any_of(machine.remarks.begin(), machine.remarks.end(),
                                [&](const Remark& r) { return r.text == text; });
  if (!same) machine.remark(level, std::move(text), source);
}

Link& link_between(Machine& machine, DeviceId a, DeviceId b, LinkKind kind, SourceRef source) {
  for (Link& link : machine.links)
    if (link.kind == kind && ((link.a == a && link.b == b) || (link.a == b && link.b == a)))
      return link;
  machine.links.emplace_back();
  Link& link = machine.links.back();
  link.a = a;
  link.b = b;
  link.kind = kind;
  link.source = source;
  return link;
}

}  // namespace railgauge::model
