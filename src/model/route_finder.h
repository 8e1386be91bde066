// Widest-shortest paths for many pairs of one machine; the part of PathFinder that reads the links.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/result.h"
#include "model/arcs.h"
#include "model/paths.h"

namespace railgauge::model {

class RouteFinder {
 public:
  explicit RouteFinder(const Machine& machine);  // kept by reference

  Result<Path> best_path(DeviceId a, DeviceId b) const;

 private:
  // How a search reached a node.
  struct Best {
    double width = -1;
    int hops = 0;
    std::size_t before = 0;  // node
    std::size_t link = 0;
    bool done = false;
  };
  using Reached = std::vector<Best>;  // by node

  bool may_use(const Link& link, bool fast) const;
  bool may_relay(DeviceId id, bool fast) const;
  Reached search(const Arcs& arcs, std::size_t start, bool fast, double at_least) const;
  const Reached& reached(std::size_t start, bool fast, double at_least) const;
  std::vector<Hop> hops(const Reached& from_a, const Arcs& arcs, DeviceId a, DeviceId b) const;
  std::vector<Hop> route(DeviceId a, DeviceId b, bool fast) const;
  void add_parallel(Path& path, DeviceId a, DeviceId b) const;
  void rate(Path& path) const;

  const Machine& machine_;
  Arcs arcs_;  // no package is an end
  std::vector<bool> has_fast_;
  // Searches from one start, by (fast, width asked for); the last start only.
  mutable std::optional<std::size_t> start_;
  mutable std::map<std::pair<bool, double>, Reached> searches_;
};

}  // namespace railgauge::model
