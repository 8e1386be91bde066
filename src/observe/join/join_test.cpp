#include "observe/join/join.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

using namespace model;

Machine addressed(const char* name, Trust trust,
                  std::vector<std::pair<DeviceKind, const char*>> list) {
  Machine part;
  part.name = name;
  const SourceRef here = part.sources.add(name, trust);
  for (const auto& [kind, address] : list) {
    const DeviceId id = part.add(kind, here);
    part[id].address.claim(*PciAddress::parse(address), here);
    part[id].pci.emplace();
  }
  return part;
}

Machine matrix(int gpu_count) {
  Machine part;
  part.name = "topo.txt";
  const SourceRef here = part.sources.add("topo.txt", Trust::tool);
  for (int i = 0; i < gpu_count; ++i) {
    const DeviceId id = part.add(DeviceKind::gpu, here.at_line(static_cast<std::uint32_t>(i + 2)));
    part[id].index.claim(i, here);
  }
  if (gpu_count > 1) part.pair({0}, {1}).smi.claim({SmiClass::nv, 12}, here.at_line(2));
  return part;
}

TEST(Join, DevicesMeetByAddressAndKeepBothClaims) {
  Machine a = addressed("sysfs", Trust::kernel, {{DeviceKind::gpu, "0000:5d:00.0"}});
  Machine b = addressed("topo.xml", Trust::file, {{DeviceKind::gpu, "5d:00.0"}});
  a.devices[0].numa_node.claim(1, a.devices[0].seen_in);
  b.devices[0].numa_node.claim(0, b.devices[0].seen_in);
  const Machine machine = join({b, a});
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.devices[0].numa_node, 1);
  EXPECT_TRUE(machine.devices[0].numa_node.disputed());
  EXPECT_EQ(machine.sources.text(machine.devices[0].numa_node.claims()[1].source), "topo.xml");
}

TEST(Join, AMatrixIsLaidOverAddressesInOrderAndMarkedInferred) {
  const Machine lspci =
      addressed("lspci.txt", Trust::tool,
                {{DeviceKind::gpu, "0000:9d:00.0"}, {DeviceKind::gpu, "0000:1d:00.0"}});
  const Machine machine = join({matrix(2), lspci});
  ASSERT_EQ(machine.devices.size(), 2u);
  const auto gpu0 = machine.indexed(DeviceKind::gpu, 0);
  ASSERT_TRUE(gpu0);
  EXPECT_EQ(machine[*gpu0].address->text(), "0000:1d:00.0");
  bool marked = false;
  for (const auto& claim : machine[*gpu0].index.claims())
    marked = marked || claim.source.trust == Trust::inferred;
  EXPECT_TRUE(marked);
  ASSERT_EQ(machine.pairs.size(), 1u);
  EXPECT_EQ(machine.pairs[0].smi->text(), "NV12");
}

TEST(Join, DifferentCountsAreSaid) {
  const Machine lspci =
      addressed("lspci.txt", Trust::tool,
                {{DeviceKind::gpu, "0000:1d:00.0"}, {DeviceKind::gpu, "0000:2d:00.0"}});
  const Machine machine = join({lspci, matrix(1)});
  EXPECT_EQ(machine.devices.size(), 2u);
  ASSERT_EQ(machine.remarks.size(), 2u);
  EXPECT_NE(machine.remarks[0].text.find("shows 1 devices of kind gpu"), std::string::npos);
  EXPECT_NE(machine.remarks[1].text.find("joined with the other sources by index"),
            std::string::npos);
}

TEST(Join, ALoneNumaNodeWithoutANumberIsTheLoneOneWithANumber) {
  Machine xml;
  xml.name = "dump.xml";
  xml.add(DeviceKind::numa_node, xml.sources.add("dump.xml", Trust::file));
  Machine topo;
  topo.name = "topo.txt";
  const SourceRef here = topo.sources.add("topo.txt", Trust::tool);
  topo[topo.add(DeviceKind::numa_node, here)].index.claim(0, here);
  const Machine machine = join({xml, topo});
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.devices[0].index, 0);
}

TEST(Join, NicsMeetByRdmaName) {
  Machine a = addressed("sysfs", Trust::kernel, {{DeviceKind::nic, "0000:1a:00.0"}});
  a.devices[0].nic->rdma_device.claim("mlx5_4", a.devices[0].seen_in);
  Machine b;
  b.name = "topo.txt";
  const SourceRef here = b.sources.add("topo.txt", Trust::tool);
  b[b.add(DeviceKind::nic, here)].nic->rdma_device.claim("mlx5_4", here);
  EXPECT_EQ(join({a, b}).devices.size(), 1u);
}

TEST(Join, ACoarserParentIsNotAConflict) {
  Machine sysfs = addressed("sysfs", Trust::kernel,
                            {{DeviceKind::pcie_switch, "0000:15:00.0"},
                             {DeviceKind::switch_port, "0000:16:00.0"},
                             {DeviceKind::gpu, "0000:17:00.0"}});
  sysfs.devices[1].parent = DeviceId{0};
  sysfs.devices[2].parent = DeviceId{1};
  Machine xml =
      addressed("topo.xml", Trust::file,
                {{DeviceKind::pcie_switch, "0000:15:00.0"}, {DeviceKind::gpu, "0000:17:00.0"}});
  xml.devices[1].parent = DeviceId{0};
  const Machine machine = join({sysfs, xml});
  EXPECT_TRUE(machine.remarks.empty());
  EXPECT_EQ(machine[*machine.at(*PciAddress::parse("0000:17:00.0"))].parent, DeviceId{1});
}

TEST(Join, AForeignTopologyFileIsAConflictAndItsEmptySwitchIsNotDrawn) {
  Machine sysfs =
      addressed("sysfs", Trust::kernel,
                {{DeviceKind::pcie_switch, "0000:15:00.0"}, {DeviceKind::gpu, "0000:17:00.0"}});
  sysfs.devices[1].parent = DeviceId{0};
  sysfs.devices[1].parent_source = sysfs.devices[1].seen_in;
  Machine xml =
      addressed("topo.xml", Trust::file,
                {{DeviceKind::pcie_switch, "ffff:ff:01.0"}, {DeviceKind::gpu, "0000:17:00.0"}});
  xml.devices[1].parent = DeviceId{0};
  xml.devices[1].parent_source = xml.devices[1].seen_in;
  const Machine machine = join({sysfs, xml});
  EXPECT_EQ(machine.devices.size(), 2u);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "0000:17:00.0 sits below 0000:15:00.0 by sysfs and below ffff:ff:01.0 by topo.xml");
}

TEST(Join, PartsInAnyOrderGiveTheSameMachine) {
  const Machine lspci =
      addressed("lspci.txt", Trust::tool,
                {{DeviceKind::gpu, "0000:1d:00.0"}, {DeviceKind::gpu, "0000:2d:00.0"}});
  EXPECT_EQ(join({lspci, matrix(2)}), join({matrix(2), lspci}));
}

// Taking the first part as it is gives what merging it into an empty machine gives.
TEST(Join, PartsThatAreGivenAwayGiveTheSameMachine) {
  Machine tree = addressed("sysfs", Trust::kernel,
                           {{DeviceKind::root_port, "0000:00:01.0"},
                            {DeviceKind::gpu, "0000:01:00.0"},
                            {DeviceKind::nic, "0000:02:00.0"},
                            {DeviceKind::gpu, "0000:03:00.0"}});
  const SourceRef here = tree.devices[0].seen_in;
  tree.name.clear();
  tree[{0}].id = "made up";
  tree[{1}].parent = DeviceId{0};
  tree[{1}].parent_source = here;
  tree[{2}].parent = DeviceId{3};  // in a circle
  tree[{3}].parent = DeviceId{2};
  tree[{0}].kind = DeviceKind::nic;  // decided late: it has no part of that kind
  tree[{1}].attributes = {{"a", "1", here}, {"b", "2", here}};
  tree[{1}].gpu->ecc_errors["x"].value.claim(3, here);
  tree.modules.push_back({"mlx5_core", {}, {}, here});
  tree.remark(RemarkLevel::note, "said", here);
  const auto same_both_ways = [&](const std::vector<Machine>& parts) {
    auto given_away = parts;
    EXPECT_EQ(join(parts), join(std::move(given_away)));
  };
  same_both_ways({});
  same_both_ways({tree});
  same_both_ways({matrix(2), tree});
  same_both_ways({matrix(2), matrix(3)});
  const auto twice = [&](const auto& change) {
    Machine other = tree;
    change(other);
    same_both_ways({matrix(2), other});
  };
  twice([&](Machine& m) { m[{1}].attributes.push_back({"a", "1", here}); });
  twice([&](Machine& m) { m[{1}].gpu->nvlinks.resize(2); });
  twice([&](Machine& m) { m[{1}].gpu->mig_devices = {"MIG 1", "MIG 1"}; });
  twice([&](Machine& m) { m[{2}].nic->ports.resize(2); });
  twice([&](Machine& m) { m[{2}].nic->ports.emplace_back().gids.resize(2); });
  twice([&](Machine& m) { m.modules.push_back(m.modules.front()); });
  twice([&](Machine& m) { m.interrupts.resize(2); });
}

}  // namespace
}  // namespace railgauge::observe
