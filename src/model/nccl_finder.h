// NCCL's path types and bandwidths for many pairs of one machine; the part of PathFinder that asks
// NCCL's graph.
#pragma once

#include <optional>
#include <vector>

#include "model/nccl_graph.h"

namespace railgauge::model {

class NcclFinder {
 public:
  explicit NcclFinder(const Machine& machine) : machine_(machine) {}  // kept by reference

  Reading<NcclPath> path(DeviceId a, DeviceId b, NcclVersion version) const;
  Reading<BytesPerSecond> bandwidth(DeviceId a, DeviceId b, NcclVersion version) const;

 private:
  const nccl::Graph& graph(NcclVersion version) const;
  // From one node to all; those of `other` stay kept too.
  const std::vector<nccl::Route>& routes(std::size_t base, std::size_t other) const;
  nccl::Route to_far_nic(std::size_t gpu, std::size_t nic) const;
  Reading<nccl::Route> route(DeviceId a, DeviceId b, NcclVersion version) const;

  const Machine& machine_;
  // Of the last version asked for.
  mutable std::optional<NcclVersion> version_;
  mutable nccl::Graph graph_;
  mutable std::vector<std::vector<nccl::Route>> routes_;  // by base; empty: not searched yet
  mutable std::size_t kept_ = 0;
};

}  // namespace railgauge::model
