// Dinic's maximum flow over directed arcs with integer capacities.
//   FlowNetwork net(4); net.add(0, 1, 5); …; net.max_flow(0, 3)
#pragma once

#include <cstdint>
#include <vector>

namespace railgauge::model {

class FlowNetwork {
 public:
  explicit FlowNetwork(std::size_t nodes) : out_(nodes) {}

  void add(std::size_t from, std::size_t to, std::int64_t capacity);
  // Uses up the capacities; ask once.
  std::int64_t max_flow(std::size_t source, std::size_t sink);

 private:
  struct Edge {
    std::size_t to = 0;
    std::int64_t left = 0;
  };
  bool label(std::size_t source, std::size_t sink);
  std::int64_t push(std::size_t source, std::size_t sink);

  std::vector<Edge> edges_;  // edge i and its reverse i ^ 1
  std::vector<std::vector<std::size_t>> out_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

}  // namespace railgauge::model
