#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>

#include "model/paths.h"
#include "model/testing.h"

namespace railgauge::model {
namespace {

// The slow twin: the walk between two devices found by breadth-first search over parent edges, then
// classified by what it passes.
std::string class_by_walking(const Machine& m, DeviceId a, DeviceId b) {
  std::map<DeviceId, std::vector<DeviceId>> near;
  for (const DeviceId id : m.all())
    if (m[id].parent) {
      near[id].push_back(*m[id].parent);
      near[*m[id].parent].push_back(id);
    }
  std::map<DeviceId, DeviceId> before{{a, a}};
  std::queue<DeviceId> queue({a});
  for (; !queue.empty(); queue.pop())
    for (const DeviceId next : near[queue.front()])
      if (before.emplace(next, queue.front()).second) queue.push(next);
  if (!before.contains(b)) return "SYS";
  std::map<DeviceKind, int> passed;
  for (DeviceId at = before[b]; at != a; at = before[at]) ++passed[m[at].kind];
  if (passed[DeviceKind::package] > 0 || passed[DeviceKind::numa_node] > 1) return "SYS";
  if (passed[DeviceKind::numa_node] > 0) return "NODE";
  if (passed[DeviceKind::host_bridge] > 0) return "PHB";
  return passed[DeviceKind::pcie_switch] > 1 ? "PXB" : "PIX";
}

TEST(PcieClass, IsWhatWalkingTheTreeSays) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const auto upto = [&](std::uint32_t n) { return random.below(n); };
    TestMachine t;
    std::vector<DeviceId> ends;
    for (std::uint32_t p = 0; p < 1 + upto(2); ++p) {
      const auto package = t.package();
      for (std::uint32_t n = 0; n < 1 + upto(2); ++n) {
        const auto numa = t.numa(static_cast<int>(p * 2 + n), package);
        for (std::uint32_t h = 0; h < 1 + upto(2); ++h) {
          const auto bridge = t.host_bridge(numa);
          for (std::uint32_t r = 0; r < 1 + upto(2); ++r) {
            DeviceId at = t.root_port(bridge);
            if (upto(2) == 0) ends.push_back(t.gpu(at));  // two functions of one card at times
            for (std::uint32_t depth = upto(3); depth > 0; --depth) {
              const auto sw = t.pcie_switch(at);
              ends.push_back(t.gpu(t.below(sw)));
              ends.push_back(t.nic(t.below(sw)));
              at = t.below(sw);
            }
            ends.push_back(t.nic(at));
          }
        }
      }
    }
    t.settle();
    for (const DeviceId a : ends)
      for (const DeviceId b : ends) {
        if (b <= a) continue;
        EXPECT_EQ(pcie_class(t.machine, a, b)->text(), class_by_walking(t.machine, a, b))
            << "seed " << seed << ": " << t.machine[a].id << " " << t.machine[b].id;
      }
  }
}

TEST(PcieClass, BridgesOfUnknownRoleCountBySwitchNotByPort) {
  TestMachine t;
  const auto root = t.port(DeviceKind::pcie_bridge, t.host_bridge(t.numa(0)));
  const auto up = t.port(DeviceKind::pcie_bridge, root);
  const auto a = t.gpu(t.port(DeviceKind::pcie_bridge, up));
  const auto b = t.nic(t.port(DeviceKind::pcie_bridge, up));
  t.settle();
  EXPECT_EQ(pcie_class(t.machine, a, b)->text(), "PIX");
}

TEST(PcieClass, OnlyTheNumaNodeKnownSaysNothingBelowIt) {
  TestMachine t;
  const auto a = t.gpu(std::nullopt);
  const auto b = t.gpu(std::nullopt);
  const auto c = t.gpu(std::nullopt);
  t.machine[a].numa_node.claim(0, t.sysfs());
  t.machine[b].numa_node.claim(0, t.sysfs());
  t.machine[c].numa_node.claim(1, t.sysfs());
  t.settle();
  EXPECT_FALSE(pcie_class(t.machine, a, b));
  EXPECT_EQ(pcie_class(t.machine, a, c)->text(), "SYS");
}

TEST(SmiClass, TheBondThroughSwitchesIsTheNarrowerSide) {
  TestMachine t;
  const auto a = t.gpu(std::nullopt);
  const auto b = t.gpu(std::nullopt);
  for (int chip = 0; chip < 2; ++chip) {
    const auto sw = t.machine.add(DeviceKind::nvswitch, t.sysfs());
    t.nvlink(a, sw, 2);
    t.nvlink(b, sw, chip == 0 ? 2 : 1);
  }
  t.settle();
  EXPECT_EQ(smi_class(t.machine, a, b)->text(), "NV3");
}

TEST(SmiClass, WithoutATreeTheMatrixIsBelieved) {
  TestMachine t;
  const auto a = t.gpu(std::nullopt);
  const auto b = t.nic(std::nullopt);
  EXPECT_FALSE(smi_class(t.machine, a, b));
  t.cell(a, b, "NODE");
  EXPECT_EQ(smi_class(t.machine, a, b)->text(), "NODE");
  EXPECT_EQ(smi_class(t.machine, a, a)->text(), "X");
}

TEST(SmiClass, ACellSaysMoreThanAFileThatNamesNoHostBridge) {
  Machine machine;
  const SourceRef file = from(machine, "topo.xml", Trust::file);
  const DeviceId node = machine.add(DeviceKind::numa_node, file);
  std::vector<DeviceId> ends;
  for (const DeviceKind kind : {DeviceKind::gpu, DeviceKind::nic}) {
    ends.push_back(machine.add(kind, file));
    machine[ends.back()].parent = node;
    machine[ends.back()].parent_source = file;
  }
  EXPECT_EQ(smi_class(machine, ends[0], ends[1])->text(), "PHB");
  machine.pair(ends[0], ends[1])
      .smi.claim({SmiClass::node, 0}, from(machine, "topo.txt", Trust::tool));
  EXPECT_EQ(smi_class(machine, ends[0], ends[1])->text(), "NODE");
}

}  // namespace
}  // namespace railgauge::model
