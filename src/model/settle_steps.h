// The steps of settle(), in the order it runs them. Each reads facts and what earlier steps made,
// and changes nothing when run again. For settle.cpp and the steps' own files only.
#pragma once

#include <string>

#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::model {

// Parents that do not exist or lead back to their child are taken away, with a remark.
void cut_parent_cycles(Machine& machine);
// Parents from bus numbers, and the host bridge of every root bus.
void settle_pcie_tree(Machine& machine);
// Where a matrix is all there is: switches, host bridges and NUMA nodes from its classes.
void settle_matrix_tree(Machine& machine);
// NUMA nodes that facts speak of. Runs before the matrix is read for a tree, which needs them.
void settle_numa_nodes(Machine& machine);
// What has no parent yet hangs from its NUMA node; NUMA nodes hang from their package.
void settle_upper_tree(Machine& machine);
// Bridges of unknown role get the kind that their place leaves no doubt of.
void settle_bridge_kinds(Machine& machine);
// A GPU or NIC whose link is known and whose place is not gets a bridge above it, marked inferred:
// the link is real, and so is something at its other end.
void settle_lone_endpoints(Machine& machine);
void settle_ids(Machine& machine);
void settle_tree_links(Machine& machine, const Catalogue& catalogue);
void settle_socket_links(Machine& machine);
void settle_gpu_links(Machine& machine, const Catalogue& catalogue);
void settle_rates(Machine& machine, const Catalogue& catalogue);
void remark_links(Machine& machine);
void remark_disputes(Machine& machine);
void settle_remarks(Machine& machine);

// Adds the remark unless the same text is there already.
void remark_once(Machine& machine, RemarkLevel level, std::string text, SourceRef source);

// The link of this kind between two devices, in either direction: the existing one, or a new one
// from a to b.
Link& link_between(Machine& machine, DeviceId a, DeviceId b, LinkKind kind, SourceRef source);

// Takes over claims (never twice) and, where nothing is said yet, refusals.
template <class T>
void take(Fact<T>& into, const Fact<T>& from) {
  for (const auto& c : from.claims()) into.claim(c.value, c.source);
  if (!into.refusals().empty()) return;
  for (const auto& r : from.refusals()) into.refuse(r.why, r.source);
}

}  // namespace railgauge::model
