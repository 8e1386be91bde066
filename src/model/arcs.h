// The links of a machine as directed arcs for path and flow searches: one each way, links being
// full duplex.
//   for (const Arc& arc : Arcs(machine, ends).from(node)) …
// A package is two nodes, one for data on its way up and one on its way down, so that nothing
// crosses from one NUMA node to the next through the package and around the mesh between them.
// Packages in `ends` stay whole.
#pragma once

#include <set>
#include <vector>

#include "model/machine.h"

namespace railgauge::model {

struct Arc {
  std::size_t to = 0;    // node
  std::size_t link = 0;  // into Machine::links
};

class Arcs {
 public:
  Arcs(const Machine& machine, const std::set<DeviceId>& ends);

  std::size_t node_count() const { return arcs_.size(); }
  const std::vector<Arc>& from(std::size_t node) const { return arcs_[node]; }
  DeviceId device(std::size_t node) const { return device_[node]; }
  static std::size_t node(DeviceId id) { return id.value; }

 private:
  void add(const Machine& machine, std::size_t link, DeviceId a, DeviceId b);
  std::size_t down(DeviceId id) const { return down_[id.value]; }

  std::vector<std::vector<Arc>> arcs_;
  std::vector<DeviceId> device_;
  std::vector<std::size_t> down_;  // by device; its own node unless it is a split package
};

}  // namespace railgauge::model
