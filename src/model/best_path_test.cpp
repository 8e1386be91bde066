#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "model/paths.h"
#include "model/testing.h"

namespace railgauge::model {
namespace {

struct Server {
  TestMachine t;
  DeviceId gpu0, gpu1, gpu2, nic0;
};

// gpu0 and nic0 share a switch; gpu1 has its own host bridge; gpu2 sits on the other package.
Server server() {
  Server s;
  std::vector<DeviceId> numa;
  for (int i = 0; i < 2; ++i) {
    const auto package = s.t.package();
    auto& cpu = *s.t.machine[package].cpu;
    cpu.vendor.claim("GenuineIntel", s.t.sysfs());
    cpu.family.claim(6, s.t.sysfs());
    cpu.model.claim(143, s.t.sysfs());
    numa.push_back(s.t.numa(i, package));
  }
  const auto sw = s.t.pcie_switch(s.t.root_port(s.t.host_bridge(numa[0])));
  s.gpu0 = s.t.gpu(s.t.below(sw));
  s.nic0 = s.t.nic(s.t.below(sw));
  s.gpu1 = s.t.gpu(s.t.root_port(s.t.host_bridge(numa[0])));
  s.gpu2 = s.t.gpu(s.t.root_port(s.t.host_bridge(numa[1])));
  return s;
}

TEST(BestPath, StaysBelowTheSharedSwitch) {
  auto s = server();
  s.t.trained(s.nic0, 4, 16);
  s.t.settle();
  const auto path = best_path(s.t.machine, s.gpu0, s.nic0);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->hops.size(), 4u);
  EXPECT_EQ(*path->as_found, gigabytes_per_second(32));
  EXPECT_EQ(*path->nominal, gigabytes_per_second(64));
  ASSERT_TRUE(path->bottleneck);
  EXPECT_EQ(path->hops[*path->bottleneck].to, s.nic0);
}

TEST(BestPath, TakesNvlinkWhereBothEndsShareIt) {
  auto s = server();
  const auto chip = s.t.machine.add(DeviceKind::nvswitch, s.t.sysfs());
  s.t.nvlink(s.gpu0, chip, 18);
  s.t.nvlink(s.gpu2, chip, 17);
  s.t.settle();
  const auto path = best_path(s.t.machine, s.gpu0, s.gpu2);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->hops.size(), 2u);
  EXPECT_EQ(*path->as_found, gigabytes_per_second(17 * 25));
}

// Links of an HGX H100 board: 5, 5, 4 and 4 to the four chips.
TEST(BestPath, SumsTheNvlinksOverAllSwitchChips) {
  auto s = server();
  for (const int width : {5, 5, 4, 4}) {
    const auto chip = s.t.machine.add(DeviceKind::nvswitch, s.t.sysfs());
    s.t.nvlink(s.gpu0, chip, width);
    s.t.nvlink(s.gpu2, chip, width);
  }
  s.t.settle();
  const auto path = best_path(s.t.machine, s.gpu0, s.gpu2);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->hops.size(), 2u);
  EXPECT_EQ(path->parallel.size(), 3u);
  EXPECT_EQ(path->nvlinks, 18);
  EXPECT_EQ(*path->as_found, gigabytes_per_second(450));
  EXPECT_EQ(*path->nominal, gigabytes_per_second(450));
  const auto flow = max_flow(s.t.machine, {s.gpu0}, {s.gpu2}, RateKind::as_found);
  EXPECT_GE(flow->value, 450e9);
}

TEST(BestPath, AnotherGpuIsNoRelay) {
  auto s = server();
  s.t.nvlink(s.gpu0, s.gpu1, 18);
  s.t.nvlink(s.gpu1, s.gpu2, 18);
  s.t.settle();
  const auto path = best_path(s.t.machine, s.gpu0, s.gpu2);
  ASSERT_TRUE(path);
  for (const Hop& hop : path->hops) EXPECT_NE(hop.to, s.gpu1);
  EXPECT_EQ(*path->as_found, gigabytes_per_second(64));
}

TEST(BestPath, AnUnknownHopLeavesTheRateUnknownAndIsNamed) {
  auto s = server();
  s.t.machine[s.nic0].pci.reset();
  auto& port = s.t.machine[*s.t.machine[s.nic0].parent];
  port.pci->link = {};
  s.t.settle();
  const auto path = best_path(s.t.machine, s.gpu0, s.nic0);
  ASSERT_TRUE(path);
  EXPECT_FALSE(path->as_found);
  EXPECT_FALSE(path->bottleneck);
  EXPECT_TRUE(contains(path->as_found.why(), "to nic0: PCIe generation not reported"));
}

TEST(BestPath, UnconnectedDevicesAreAnError) {
  auto s = server();
  const auto lone = s.t.gpu(std::nullopt);
  s.t.settle();
  const auto path = best_path(s.t.machine, s.gpu0, lone);
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().kind, ErrorKind::not_found);
  EXPECT_FALSE(best_path(s.t.machine, lone, lone));
}

TEST(BestPath, DoesNotGoAroundTheMeshThroughThePackage) {
  TestMachine t;
  const auto package = t.package();
  const auto a = t.gpu(t.root_port(t.host_bridge(t.numa(0, package))));
  const auto b = t.gpu(t.root_port(t.host_bridge(t.numa(1, package))));
  t.settle();
  const auto path = best_path(t.machine, a, b);
  ASSERT_TRUE(path);
  EXPECT_TRUE(std::any_of(path->hops.begin(), path->hops.end(), [&](const Hop& hop) {
    return t.machine.links[hop.link].kind == LinkKind::mesh;
  }));
}

// The slow twin: every simple path, the widest first, the shortest of those.
struct Enumerated {
  double width = -1;
  std::size_t hops = 0;
};

void walk(const Machine& m, DeviceId at, DeviceId to, std::vector<DeviceId>& way, double width,
          Enumerated& best) {
  if (at == to) {
    const std::size_t hops = way.size() - 1;
    if (width > best.width || (width == best.width && hops < best.hops)) best = {width, hops};
    return;
  }
  for (const Link& link : m.links)
    for (const auto& [end, next] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
      if (end != at || std::find(way.begin(), way.end(), next) != way.end()) continue;
      way.push_back(next);
      walk(m, next, to, way, std::min(width, link.as_found->value), best);
      way.pop_back();
    }
}

TEST(BestPath, IsTheWidestThenShortestOfAllSimplePaths) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Machine m;
    const auto source = from(m, "random");
    const std::uint32_t nodes = 4 + random.below(4);
    for (std::uint32_t i = 0; i < nodes; ++i) m.add(DeviceKind::pcie_switch, source);
    for (std::uint32_t i = 0; i < 2 * nodes; ++i) {
      Link link;
      link.a = {random.below(nodes)};
      link.b = {random.below(nodes)};
      link.kind = LinkKind::pcie;
      link.as_found = BytesPerSecond{1.0 + random.below(5)};
      if (link.a != link.b) m.links.push_back(link);
    }
    Enumerated expected;
    std::vector<DeviceId> way{{0}};
    walk(m, {0}, {1}, way, std::numeric_limits<double>::infinity(), expected);
    const auto path = best_path(m, {0}, {1});
    ASSERT_EQ(path.has_value(), expected.width >= 0) << "seed " << seed;
    if (!path) continue;
    EXPECT_EQ(path->as_found->value, expected.width) << "seed " << seed;
    EXPECT_EQ(path->hops.size(), expected.hops) << "seed " << seed;
  }
}

}  // namespace
}  // namespace railgauge::model
