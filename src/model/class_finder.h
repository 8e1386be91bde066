// nvidia-smi's classes for many pairs of one machine; the part of PathFinder that reads the tree
// and the matrices.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/machine.h"

namespace railgauge::model {

class ClassFinder {
 public:
  explicit ClassFinder(const Machine& machine);  // kept by reference

  Reading<PathClass> smi_class(DeviceId a, DeviceId b) const;
  Reading<PathClass> pcie_class(DeviceId a, DeviceId b) const;

 private:
  struct NvLinks {
    DeviceId to;
    int count = 0;
  };

  void index_tree();
  void index_nvlinks();
  std::optional<DeviceId> up(DeviceId id) const { return up_[id.value]; }
  std::optional<DeviceId> nearest_common(DeviceId a, DeviceId b) const;
  bool has_above(DeviceId id, DeviceKind kind) const;
  int switches_below(DeviceId id, DeviceId end) const;
  bool steps_missing(DeviceId id) const;
  bool placed_by_matrix(DeviceId id) const;
  int bonded_nvlinks(DeviceId a, DeviceId b) const;
  const Pair* pair(DeviceId a, DeviceId b) const;
  Reading<PathClass> without_common(DeviceId a, DeviceId b) const;
  Reading<PathClass> below_numa_node(DeviceId a, DeviceId b) const;

  const Machine& machine_;
  std::vector<std::optional<DeviceId>> up_;  // parents, without those that close a cycle
  std::vector<std::uint32_t> depth_;
  std::vector<bool> switch_;
  std::vector<std::vector<NvLinks>> nvlinks_;  // by device, sorted by far end
  std::unordered_map<std::uint64_t, const Pair*> pairs_;
};

}  // namespace railgauge::model
