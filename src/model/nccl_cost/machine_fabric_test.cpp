#include "model/nccl_cost/machine_fabric.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace railgauge::model::nccl_cost {
namespace {

// Eight GPUs and four NVSwitches, `links` from each GPU, `found` of them up.
TestMachine switched(int links, int found) {
  TestMachine t;
  const auto numa = t.numa(0);
  const auto nvswitch = t.endpoint(DeviceKind::nvswitch, t.root_port(t.host_bridge(numa)));
  for (int i = 0; i < 8; ++i) {
    const auto gpu = t.gpu(t.root_port(t.host_bridge(numa)));
    t.nvlink(gpu, nvswitch, links);
    if (i == 3) {
      t.machine.links.back().width = {};
      t.machine.links.back().width.claim(found, t.sysfs());
    }
  }
  t.settle();
  return t;
}

TEST(FabricOf, LinksToSwitchesAsFoundAndAsSold) {
  const TestMachine t = switched(18, 12);
  const auto found = fabric_of(t.machine, RateKind::as_found, {});
  ASSERT_TRUE(found) << found.why();
  EXPECT_TRUE(found->multicast);
  EXPECT_NEAR(found->gpu_gbps, 12 * 20.6, 1e-9);
  const auto sold = fabric_of(t.machine, RateKind::nominal, {});
  ASSERT_TRUE(sold);
  EXPECT_NEAR(sold->gpu_gbps, 18 * 20.6, 1e-9);
}

TEST(FabricOf, MatrixThatShowsAllLinksToEveryPeerHidesSwitches) {
  TestMachine t;
  std::vector<DeviceId> gpus;
  for (int i = 0; i < 4; ++i) gpus.push_back(t.gpu(std::nullopt));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) t.nvlink(gpus[i], gpus[j], 18);
  t.settle();
  const auto found = fabric_of(t.machine, RateKind::as_found, {.gpus_per_node = 4});
  ASSERT_TRUE(found) << found.why();
  EXPECT_TRUE(found->multicast);
  EXPECT_NEAR(found->gpu_gbps, 18 * 20.6, 1e-9);
}

TEST(FabricOf, DirectLinksAddUp) {
  TestMachine t;
  std::vector<DeviceId> gpus;
  for (int i = 0; i < 4; ++i) gpus.push_back(t.gpu(std::nullopt));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) t.nvlink(gpus[i], gpus[j], 6);
  t.settle();
  const auto four = fabric_of(t.machine, RateKind::as_found, {.gpus_per_node = 4});
  ASSERT_TRUE(four) << four.why();
  EXPECT_FALSE(four->multicast);
  EXPECT_NEAR(four->gpu_gbps, 18 * 20.6, 1e-9);
  const auto two = fabric_of(t.machine, RateKind::as_found, {.gpus_per_node = 2});
  EXPECT_NEAR(two->gpu_gbps, 6 * 20.6, 1e-9);
}

TEST(FabricOf, WithoutNvlinkThePciePathDecides) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  const auto a = t.pcie_switch(t.root_port(bridge));
  t.gpu(t.below(a));
  t.gpu(t.below(a));
  t.settle();
  const auto found = fabric_of(t.machine, RateKind::as_found, {.gpus_per_node = 2});
  ASSERT_TRUE(found) << found.why();
  EXPECT_FALSE(found->nvlink);
  EXPECT_NEAR(found->gpu_gbps, 48, 1e-9);  // NCCL's figure for Gen5 x16
}

TEST(FabricOf, TooFewGpusAreUnknown) {
  const TestMachine t = switched(18, 18);
  EXPECT_FALSE(fabric_of(t.machine, RateKind::as_found, {.gpus_per_node = 16}));
}

TEST(FabricOf, SeveralNodesNeedAdapters) {
  const TestMachine t = switched(18, 18);
  Job job{.gpus_per_node = 8, .nodes = 2};
  EXPECT_NE(fabric_of(t.machine, RateKind::as_found, job).why().find("--nic"), std::string::npos);
  job.adapters = parse_adapters("8x400G");
  const auto found = fabric_of(t.machine, RateKind::as_found, job);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nics, 8);
  EXPECT_NEAR(found->nic_gbps, 50, 1e-9);
}

TEST(AdaptersOf, ThoseOfTheHighestRateThatAreUp) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  for (int i = 0; i < 4; ++i) {
    const auto nic = t.nic(t.root_port(bridge));
    auto& port = t.machine[nic].nic->ports.emplace_back();
    port.rate.claim(gigabits_per_second(i == 3 ? 25 : 400), t.sysfs());
    port.state.claim(i == 2 ? "DOWN" : "ACTIVE", t.sysfs());
  }
  t.settle();
  const auto found = adapters_of(t.machine, RateKind::as_found);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 2);
  EXPECT_NEAR(found->gbps, 48, 1e-9);  // Gen5 x16, as NCCL counts it
  EXPECT_EQ(adapters_of(t.machine, RateKind::nominal)->count, 3);
}

TEST(ParseAdapters, CountAndGigabits) {
  EXPECT_EQ(parse_adapters("8x400G"), (Adapters{8, 50}));
  EXPECT_EQ(parse_adapters("4x100Gb/s"), (Adapters{4, 12.5}));
  EXPECT_EQ(parse_adapters("1x25"), (Adapters{1, 3.125}));
  for (const char* bad : {"", "x", "8x", "x400G", "0x400G", "8x400M", "8x400Gfoo", "8x-1G",
                          "9999999999x1G", "8x4x4G"})
    EXPECT_FALSE(parse_adapters(bad)) << bad;
}

TEST(FabricOf, NamedBoardIsAsSold) {
  GpuBoard board;
  board.name = "H100 SXM5 80GB";
  board.compute_capability = 90;
  board.nvlink_count = 18;
  const auto found = fabric_of(board, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->multicast);
  EXPECT_NE(fabric_of(board, {.gpus_per_node = 16}).why().find("--nodes"), std::string::npos);
  board.name = "H100 PCIe";
  EXPECT_FALSE(fabric_of(board, {}));
  board.name = "Instinct MI300X";
  board.compute_capability = 0;
  EXPECT_NE(fabric_of(board, {}).why().find("NVIDIA"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::model::nccl_cost
