// Path questions about a settled machine. Pure: they read only their arguments.
//   PathClass c = *smi_class(machine, gpu0, nic3);           // PIX
//   Path path = *best_path(machine, gpu0, nic3);
//   path.bottleneck                                          // index into path.hops
// For many pairs of one machine, PathFinder (path_finder.h) answers the same questions faster.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "model/machine.h"

namespace railgauge::model {

// nvidia-smi's class from the tree and the NVLinks; where there is no tree, what a matrix said.
Reading<PathClass> smi_class(const Machine& machine, DeviceId a, DeviceId b);

// What the tree alone says, matrices and NVLink left out: self … sys.
Reading<PathClass> pcie_class(const Machine& machine, DeviceId a, DeviceId b);

// The type this version of NCCL would give the path between two GPUs, or a GPU and a NIC.
Reading<NcclPath> nccl_path(const Machine& machine, DeviceId a, DeviceId b, NcclVersion version);

// GB/s this version of NCCL would assume for the path, by its own constants.
Reading<BytesPerSecond> nccl_bandwidth(const Machine& machine, DeviceId a, DeviceId b,
                                       NcclVersion version);

struct Hop {
  std::size_t link = 0;  // into Machine::links
  DeviceId from;
  DeviceId to;
  friend bool operator==(const Hop&, const Hop&) = default;
};

struct Path {
  std::vector<Hop> hops;
  // Where GPUs are on several NVSwitch chips, all of which carry the data: the routes over each
  // further chip, as long as `hops`. The rates below are sums over all routes.
  std::vector<std::vector<Hop>> parallel;
  std::optional<int> nvlinks;  // over all routes; set where there are several
  // Of the narrowest hop of each route; unknown if a hop that could be narrowest is unknown.
  Reading<BytesPerSecond> as_found;
  Reading<BytesPerSecond> nominal;
  std::optional<std::size_t> bottleneck;  // into hops: the narrowest as found
  friend bool operator==(const Path&, const Path&) = default;
};

// The path data takes: NVLink, xGMI or C2C where both ends share it, else up and down the PCIe
// tree. Among paths of the nearest class the widest, then the shortest. An error when the two are
// not connected.
Result<Path> best_path(const Machine& machine, DeviceId a, DeviceId b);

enum class RateKind : std::uint8_t { as_found, nominal };

// Most bytes per second from all of `from` to all of `to` at once, one direction, every link used
// freely. Unknown when a link of unknown rate could carry the flow.
Reading<BytesPerSecond> max_flow(const Machine& machine, const std::vector<DeviceId>& from,
                                 const std::vector<DeviceId>& to, RateKind rates);

}  // namespace railgauge::model
