#include "model/max_flow.h"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "model/paths.h"
#include "model/testing.h"

namespace railgauge::model {
namespace {

using Edge = std::tuple<std::size_t, std::size_t, std::int64_t>;

// The slow twin: the cheapest of all cuts, every subset of the nodes tried.
std::int64_t least_cut(std::size_t nodes, const std::vector<Edge>& edges, std::size_t source,
                       std::size_t sink) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t side = 0; side < (std::size_t{1} << nodes); ++side) {
    const auto in = [&](std::size_t node) { return (side >> node & 1) != 0; };
    if (!in(source) || in(sink)) continue;
    std::int64_t cost = 0;
    for (const auto& [from, to, capacity] : edges)
      if (in(from) && !in(to)) cost += capacity;
    best = std::min(best, cost);
  }
  return best;
}

TEST(FlowNetwork, TheFlowIsTheLeastCut) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const std::uint32_t nodes = 3 + random.below(6);
    std::vector<Edge> edges;
    FlowNetwork network(nodes);
    for (std::size_t i = 0; i < 3 * nodes; ++i) {
      edges.emplace_back(random.below(nodes), random.below(nodes), random.below(20));
      const auto& [from, to, capacity] = edges.back();
      network.add(from, to, capacity);
    }
    EXPECT_EQ(network.max_flow(0, 1), least_cut(nodes, edges, 0, 1)) << "seed " << seed;
  }
}

TEST(MaxFlow, OfAMachineIsTheLeastCutOfItsLinks) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    Machine m;
    const auto source = from(m, "random");
    const std::uint32_t nodes = 3 + random.below(6);
    for (std::uint32_t i = 0; i < nodes; ++i) m.add(DeviceKind::gpu, source);
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i < 2 * nodes; ++i) {
      Link link;
      link.a = {random.below(nodes)};
      link.b = {random.below(nodes)};
      link.kind = LinkKind::nvlink;
      link.as_found = BytesPerSecond{static_cast<double>(random.below(20))};
      if (link.a == link.b) continue;
      m.links.push_back(link);
      const auto rate = static_cast<std::int64_t>(link.as_found->value);
      edges.emplace_back(link.a.value, link.b.value, rate);
      edges.emplace_back(link.b.value, link.a.value, rate);
    }
    const auto flow = max_flow(m, {{0}}, {{1}}, RateKind::as_found);
    ASSERT_TRUE(flow);
    EXPECT_EQ(static_cast<std::int64_t>(flow->value), least_cut(nodes, edges, 0, 1));
  }
}

TEST(MaxFlow, TwoGpusShareTheUplinkOfTheirSwitch) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  const auto sw = t.pcie_switch(t.root_port(bridge));
  const std::vector<DeviceId> gpus{t.gpu(t.below(sw)), t.gpu(t.below(sw))};
  const std::vector<DeviceId> others{t.gpu(t.root_port(bridge)), t.gpu(t.root_port(bridge))};
  t.settle();
  EXPECT_EQ(*max_flow(t.machine, gpus, others, RateKind::as_found), gigabytes_per_second(64));
  EXPECT_EQ(*max_flow(t.machine, {gpus[0]}, {gpus[1]}, RateKind::nominal),
            gigabytes_per_second(64));
}

TEST(MaxFlow, AnUnknownLinkThatCouldCarryTheFlowMakesItUnknown) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  const auto a = t.gpu(t.root_port(bridge));
  const auto b = t.gpu(t.root_port(bridge));
  const auto c = t.gpu(t.root_port(bridge));
  t.nvlink(a, c, 2);
  t.machine.links.back().width = {};
  t.settle();
  EXPECT_FALSE(max_flow(t.machine, {a}, {c}, RateKind::as_found));
  EXPECT_EQ(*max_flow(t.machine, {b}, {c}, RateKind::as_found), gigabytes_per_second(64));
  EXPECT_FALSE(max_flow(t.machine, {a}, {a}, RateKind::as_found));
}

}  // namespace
}  // namespace railgauge::model
