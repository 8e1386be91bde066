// What settle() finds odd, and what it holds for benign.
#include "model/settle.h"

#include <gtest/gtest.h>

#include "model/paths.h"
#include "model/settle_testing.h"

namespace railgauge::model {
namespace {

TEST(SettleRemarks, ASlowGenerationInADeepPStateIsBenign) {
  TestMachine t;
  const auto gpu = t.gpu(t.root_port(t.host_bridge(t.numa(0))));
  t.trained(gpu, 1, 16);
  t.machine[gpu].gpu->p_state.claim("P8", t.sysfs());
  t.settle();
  EXPECT_TRUE(t.remarks(RemarkLevel::warning).empty());
  EXPECT_TRUE(mentions(t.remarks(), "may be idle (P8)"));
}

TEST(SettleRemarks, ASlowGenerationIsAWarningOnlyWhenTheGpuIsKnownToWork) {
  for (const char* p_state : {"", "P0"}) {
    TestMachine t;
    const auto gpu = t.gpu(t.root_port(t.host_bridge(t.numa(0))));
    t.trained(gpu, 1, 16);
    if (*p_state) t.machine[gpu].gpu->p_state.claim(p_state, t.sysfs());
    t.settle();
    EXPECT_EQ(t.remarks(RemarkLevel::warning).size(), *p_state ? 1u : 0u);
    EXPECT_EQ(t.remarks().size(), 1u);
  }
}

TEST(SettleRemarks, OneGpuWithoutActiveNvlinksIsAFaultWhereOthersHaveThem) {
  const auto with_ports = [](bool others_active) {
    Machine machine;
    const SourceRef here = from(machine, "nvml", Trust::driver);
    for (int gpu = 0; gpu < 3; ++gpu) {
      Device& device = machine[machine.add(DeviceKind::gpu, here)];
      device.index.claim(gpu, here);
      for (int port = 0; port < 2; ++port) {
        NvLinkPort link;
        link.number = port;
        link.active.claim(others_active && gpu != 1, here);
        device.gpu->nvlinks.push_back(link);
      }
    }
    settle(machine, round_catalogue());
    std::vector<std::string> said;
    for (const Remark& remark : machine.remarks)
      if (contains(remark.text, "not active")) said.push_back(remark.text);
    return said;
  };
  EXPECT_EQ(with_ports(true), (std::vector<std::string>{"gpu1: 2 of 2 NVLinks are not active"}));
  EXPECT_TRUE(with_ports(false).empty());
}

TEST(SettleRemarks, DevicesInTheSameSituationShareOne) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  for (int i = 0; i < 8; ++i) t.trained(t.gpu(t.root_port(bridge)), 5, i == 5 ? 4 : 8);
  t.settle();
  const auto remarks = t.remarks(RemarkLevel::warning);
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0],
            "gpu0 … gpu4, gpu6 and gpu7 (7 devices) run Gen5 x8 of Gen5 x16: 32 GB/s of 64 GB/s");
  EXPECT_EQ(remarks[1], "gpu5 runs Gen5 x4 of Gen5 x16: 16 GB/s of 64 GB/s");
}

TEST(SettleRemarks, WhatABoardIsSoldWithIsNoWarningAgainstAFile) {
  TestMachine t;
  const auto gpu = t.gpu(t.numa(0));
  const auto file = from(t.machine, "topo.xml", Trust::file);
  auto& link = t.machine[gpu].pci->link;
  link = {};
  link.current_speed.claim(*PcieSpeed::of_generation(3), file);
  link.current_width.claim(8, file);
  t.settle();
  EXPECT_TRUE(t.remarks(RemarkLevel::warning).empty());
  EXPECT_TRUE(mentions(t.remarks(), "Gen3 x8 of Gen5 x16"));
}

TEST(SettleRemarks, AnEndpointWithoutAParentIsJudgedByItsOwnEnd) {
  TestMachine t;
  t.trained(t.gpu(std::nullopt), 1, 4);
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning),
                       "gpu0 runs Gen1 x4 of Gen5 x16: 1 GB/s of 64 GB/s"));
}

TEST(SettleRemarks, ARefusedLinkSaysWhy) {
  TestMachine t;
  const auto gpu = t.gpu(std::nullopt);
  auto& link = t.machine[gpu].pci->link;
  link = {};
  link.current_speed.refuse("needs root: rerun lspci as root", t.sysfs());
  t.settle();
  EXPECT_EQ(t.remarks(),
            std::vector<std::string>{"gpu0: PCIe link unknown: needs root: rerun lspci as root"});
  EXPECT_TRUE(t.remarks(RemarkLevel::warning).empty());
}

TEST(SettleRemarks, BothSourcesOfADisputeAreNamed) {
  TestMachine t;
  t.numa(0);
  t.numa(1);
  const auto gpu = t.gpu(std::nullopt);
  t.machine[gpu].numa_node.claim(0, t.sysfs());
  t.machine[gpu].gpu->numa_affinity.claim("1", from(t.machine, "topo.txt", Trust::tool).at_line(2));
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(), "gpu0: NUMA node is 0 by sysfs, but 1 by topo.txt:2"));
}

TEST(SettleRemarks, AMatrixThatContradictsTheTreeIsNamed) {
  auto t = two_socket_server();
  const auto gpu = *t.machine.indexed(DeviceKind::gpu, 0);
  const auto nic = *t.machine.indexed(DeviceKind::nic, 0);
  t.cell(gpu, nic, "SYS", 5);
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning),
                       "gpu0 and nic0: topo.txt:5 says SYS, but the tree of all facts gives PIX"));
}

TEST(SettleRemarks, HiddenNvlinkIsNoDispute) {
  auto t = matrix_machine({"GPU0 X NV18|0", "GPU1 NV18 X|0"});
  t.machine.pair({0}, {1}).smi.claim(*PathClass::parse("NODE"),
                                     from(t.machine, "topo-mp.txt", Trust::tool));
  t.settle();
  EXPECT_TRUE(t.remarks().empty());
}

TEST(SettleRemarks, APlaceBelowAnotherNumaNodeIsNamed) {
  TestMachine t;
  const auto port = t.root_port(t.host_bridge(t.numa(0)));
  const auto gpu = t.gpu(port);
  t.numa(1);
  t.machine[gpu].numa_node.claim(1, t.sysfs());
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning),
                       "gpu0: sysfs says NUMA node 1, but its place in the tree is below numa0"));
  EXPECT_EQ(*t.machine[port].numa_node, 0);
}

}  // namespace
}  // namespace railgauge::model
