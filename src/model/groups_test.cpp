#include "model/groups.h"

#include <gtest/gtest.h>

#include <set>

#include "model/testing.h"

namespace railgauge::model {
namespace {

TEST(NvLinkDomains, AreWhatBreadthFirstSearchReaches) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    TestMachine t;
    for (int i = 0; i < 8; ++i) t.gpu(std::nullopt);
    for (std::uint32_t i = 0; i < 5; ++i) {
      const DeviceId a{random.below(8)};
      const DeviceId b{random.below(8)};
      if (a != b) t.nvlink(a, b, 1);
    }
    std::vector<std::vector<DeviceId>> expected;
    std::set<DeviceId> seen;
    for (const DeviceId start : t.machine.all()) {
      if (!seen.insert(start).second) continue;
      std::vector<DeviceId> reached{start};
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (const Link& link : t.machine.links)
          for (const auto& [end, next] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}})
            if (end == reached[i] && seen.insert(next).second) reached.push_back(next);
      std::sort(reached.begin(), reached.end());
      if (reached.size() > 1) expected.push_back(reached);
    }
    std::vector<std::vector<DeviceId>> got;
    for (const auto& domain : nvlink_domains(t.machine)) got.push_back(domain.gpus);
    EXPECT_EQ(got, expected) << "seed " << seed;
  }
}

TEST(NvLinkDomains, ASwitchMakesThemAllToAllAndARingDoesNot) {
  TestMachine t;
  const auto chip = t.machine.add(DeviceKind::nvswitch, t.sysfs());
  for (int i = 0; i < 3; ++i) t.nvlink(t.gpu(std::nullopt), chip, 18);
  std::vector<DeviceId> ring;
  for (int i = 0; i < 4; ++i) ring.push_back(t.gpu(std::nullopt));
  for (std::size_t i = 0; i < 4; ++i) t.nvlink(ring[i], ring[(i + 1) % 4], 1);
  t.gpu(std::nullopt);
  const auto domains = nvlink_domains(t.machine);
  ASSERT_EQ(domains.size(), 2u);
  EXPECT_TRUE(domains[0].switched);
  EXPECT_TRUE(domains[0].all_to_all);
  EXPECT_EQ(domains[1].gpus, ring);
  EXPECT_FALSE(domains[1].switched);
  EXPECT_FALSE(domains[1].all_to_all);
}

struct Cascade {
  TestMachine t;
  DeviceId outer, inner, gpu0, gpu1, nic0, nic1;
};

Cascade cascade() {
  Cascade c;
  c.outer = c.t.pcie_switch(c.t.root_port(c.t.host_bridge(c.t.numa(0))));
  c.inner = c.t.pcie_switch(c.t.below(c.outer));
  c.gpu0 = c.t.gpu(c.t.below(c.inner));
  c.nic0 = c.t.nic(c.t.below(c.inner));
  c.nic1 = c.t.nic(c.t.below(c.outer));
  c.gpu1 = c.t.gpu(c.t.root_port(c.t.host_bridge(c.t.numa(1))));
  c.t.settle();
  return c;
}

TEST(SwitchGroups, EverySwitchHasItsMembersAndItsUplink) {
  const auto c = cascade();
  const auto groups = switch_groups(c.t.machine);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].pcie_switch, c.outer);
  EXPECT_EQ(groups[0].members, (std::vector{c.gpu0, c.nic0, c.nic1}));
  EXPECT_EQ(*groups[0].demand, gigabytes_per_second(192));
  EXPECT_TRUE(groups[0].shared);
  EXPECT_EQ(groups[1].members, (std::vector{c.gpu0, c.nic0}));
  ASSERT_TRUE(groups[1].uplink);
  EXPECT_EQ(c.t.machine.links[*groups[1].uplink].a, c.inner);
}

TEST(Nics, AreSortedByDistance) {
  const auto c = cascade();
  const auto nics = nics_by_distance(c.t.machine, c.gpu0);
  ASSERT_EQ(nics.size(), 2u);
  EXPECT_EQ(nics[0].nic, c.nic0);
  EXPECT_EQ(nics[0].distance.text(), "PIX");
  EXPECT_EQ(nics[1].distance.text(), "PXB");
  EXPECT_EQ(nearest_nics(c.t.machine, c.gpu0), (std::vector{c.nic0}));
  EXPECT_EQ(nearest_nics(c.t.machine, c.gpu1), (std::vector{c.nic0, c.nic1}));
}

TEST(NumaAligned, IsUnknownUntilBothNodesAre) {
  auto c = cascade();
  const auto lone = c.t.gpu(std::nullopt);
  c.t.settle();
  EXPECT_EQ(numa_aligned(c.t.machine, c.gpu0, c.nic0), Reading<bool>(true));
  EXPECT_EQ(numa_aligned(c.t.machine, c.gpu0, c.gpu1), Reading<bool>(false));
  EXPECT_EQ(numa_aligned(c.t.machine, c.gpu0, lone).why(), "the NUMA node of gpu2 is unknown");
}

TEST(Gpudirect, StopsAtPxb) {
  const auto c = cascade();
  const auto pairs = gpudirect_pairs(c.t.machine);
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_TRUE(pairs[0].eligible);
  EXPECT_TRUE(pairs[1].eligible);
  EXPECT_FALSE(pairs[2].eligible);
  EXPECT_EQ(pairs[2].why_not, "SYS is further than PXB, NCCL's default limit");
}

}  // namespace
}  // namespace railgauge::model
