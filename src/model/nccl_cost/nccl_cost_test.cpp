#include <gtest/gtest.h>

#include "model/nccl_cost/choice.h"
#include "model/nccl_cost/expected.h"
#include "model/nccl_cost/graphs.h"

namespace railgauge::model::nccl_cost {
namespace {

Fabric hgx_h100(int gpus = 8) {
  Fabric out;
  out.gpus_per_node = gpus;
  out.multicast = true;
  out.gpu_gbps = 370.8;  // 18 links of 20.6
  return out;
}

Fabric hgx_a100(int gpus = 8) {
  Fabric out;
  out.compute_capability = 80;
  out.gpus_per_node = gpus;
  out.gpu_gbps = 240;  // 12 links of 20
  return out;
}

Fabric hgx_b200() {
  Fabric out = hgx_h100();
  out.compute_capability = 100;
  out.gpu_gbps = 721.8;
  return out;
}

Fabric with_nics(Fabric fabric, int nodes, int nics, double gbps) {
  fabric.nodes = nodes;
  fabric.nics = nics;
  fabric.nic_gbps = gbps;
  return fabric;
}

double busbw_gbps(const Fabric& fabric, Collective collective, double bytes) {
  return expected(fabric, collective, bytes)->busbw.value / 1e9;
}

// "12 channels" and "24 coll channels" are what NCCL_DEBUG=INFO prints on these machines.
TEST(Graphs, RingsOfHgxMachines) {
  EXPECT_EQ(ring_graph(hgx_h100()), (Graph{12, 30, 30}));
  EXPECT_EQ(ring_blocks(hgx_h100()), 24);
  EXPECT_EQ(ring_graph(hgx_a100()), (Graph{12, 20, 20}));
  EXPECT_EQ(ring_blocks(hgx_a100()), 24);
  EXPECT_EQ(ring_graph(hgx_b200()), (Graph{16, 45, 45}));
}

TEST(Graphs, NvlsHeadsCarryTheirOwnChannelTwice) {
  EXPECT_EQ(nvls_graph(hgx_h100(8)), (Graph{8, 40, 40}));
  EXPECT_EQ(nvls_graph(hgx_h100(4)), (Graph{4, 60, 60}));
  EXPECT_EQ(nvls_graph(hgx_b200()), (Graph{8, 80, 80}));
  EXPECT_EQ(nvls_graph(hgx_a100()).channels, 0);
}

TEST(Graphs, AdaptersLimitRingsBetweenNodes) {
  const Graph h100 = ring_graph(with_nics(hgx_h100(), 2, 8, 50));
  EXPECT_EQ(h100, (Graph{8, 45, 45}));
  const Graph a100 = ring_graph(with_nics(hgx_a100(), 2, 8, 24));
  EXPECT_EQ(a100, (Graph{8, 24, 24}));
  const Graph p4d = ring_graph(with_nics(hgx_a100(), 2, 4, 12));
  EXPECT_EQ(p4d, (Graph{4, 12, 12}));
  EXPECT_EQ(ring_graph(with_nics(hgx_h100(), 2, 0, 0)).channels, 0);
}

TEST(Graphs, FewLinksGiveFewChannels) {
  Fabric pair = hgx_a100(2);
  pair.gpu_gbps = 80;  // four links
  EXPECT_EQ(ring_graph(pair), (Graph{4, 20, 20}));
}

// Ring, LL: 6.6 us, and 0.6 us for each of 14 steps.
TEST(Choose, SmallAllReduceRunsAsRingWithLowLatency) {
  const auto choice = choose(hgx_h100(), Collective::all_reduce, 512);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->algorithm, Algorithm::ring);
  EXPECT_EQ(choice->protocol, Protocol::ll);
  EXPECT_NEAR(choice->latency_us, 15.0, 1e-9);
}

TEST(Choose, LargeAllReduceOfEightHoppersRunsInTheSwitch) {
  const auto choice = choose(hgx_h100(), Collective::all_reduce, 512 << 20);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->algorithm, Algorithm::nvls);
  // 40 x 0.85 x 7/8 x 2 on 8 channels, times 8/14.
  EXPECT_NEAR(choice->algbw_gbps, 272, 0.01);
  EXPECT_EQ(choose(hgx_h100(4), Collective::all_reduce, 512 << 20)->algorithm, Algorithm::ring);
  EXPECT_EQ(choose(hgx_a100(), Collective::all_reduce, 512 << 20)->algorithm, Algorithm::ring);
}

TEST(Choose, NothingForOneRankAndForPointToPoint) {
  EXPECT_FALSE(choose(hgx_h100(1), Collective::all_reduce, 1024));
  EXPECT_FALSE(choose(hgx_h100(), Collective::all_to_all, 1024));
  Fabric none = hgx_h100();
  none.gpu_gbps = 0;
  EXPECT_FALSE(choose(none, Collective::all_reduce, 1024));
}

TEST(Choose, OlderReleasesCountNvlsByFiveSixths) {
  Fabric old = hgx_h100();
  old.version = {2, 26, 2};
  for (const Choice& c : choices(old, Collective::all_reduce, 512 << 20))
    if (c.algorithm == Algorithm::nvls) {
      EXPECT_NEAR(c.algbw_gbps, 320 * 5.0 / 6, 0.01);
    }
}

// What maintainers call normal: 480 with NVLS, 230-240 on A100 (nccl-tests#212, nccl#1712).
TEST(Expected, BusBandwidthOfHealthyMachines) {
  EXPECT_NEAR(busbw_gbps(hgx_h100(), Collective::all_reduce, 8e9), 475, 5);
  EXPECT_NEAR(busbw_gbps(hgx_a100(), Collective::all_reduce, 8e9), 232, 6);
  EXPECT_NEAR(busbw_gbps(hgx_h100(), Collective::all_gather, 8e9), 345, 10);
}

TEST(Expected, TwoNodesOfHoppersPassTheirAdaptersByTree) {
  const auto found = expected(with_nics(hgx_h100(), 2, 8, 50), Collective::all_reduce, 8e9);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->algorithm, Algorithm::nvls_tree);
  EXPECT_NEAR(found->busbw.value / 1e9, 460, 8);
  EXPECT_NEAR(busbw_gbps(with_nics(hgx_a100(), 2, 8, 24), Collective::all_reduce, 8e9), 190, 6);
}

TEST(Expected, SmallSizesAreLatency) {
  EXPECT_GT(expected(hgx_h100(), Collective::all_reduce, 1024)->latency_share, 0.95);
  EXPECT_LT(expected(hgx_h100(), Collective::all_reduce, 8e9)->latency_share, 0.05);
}

// A step is code of an SM: at 1410 MHz it takes 1.4 times as long as at 1980 MHz.
TEST(Expected, LatencyScalesWithTheClock) {
  const double h100 = expected(hgx_h100(), Collective::all_gather, 512)->seconds;
  Fabric slow = hgx_h100();
  slow.sm_clock_mhz = 1410;
  const double slower = expected(slow, Collective::all_gather, 512)->seconds;
  EXPECT_NEAR(slower / h100, 1980.0 / 1410, 0.01);
}

TEST(Expected, TimeGrowsWithSizeAndNeverVanishes) {
  for (const Fabric& fabric : {hgx_h100(), hgx_a100(), hgx_b200(), hgx_h100(2)})
    for (const Collective c : {Collective::all_reduce, Collective::all_gather,
                               Collective::broadcast, Collective::all_to_all})
      for (double bytes = 8; bytes < 1e11; bytes *= 4) {
        const auto now = expected(fabric, c, bytes);
        const auto later = expected(fabric, c, bytes * 16);
        ASSERT_TRUE(now && later);
        EXPECT_GT(now->seconds, 1e-6);
        EXPECT_GT(later->seconds, now->seconds * 0.9) << text(c) << " " << bytes;
      }
}

TEST(Expected, OneRankIsNothing) {
  EXPECT_FALSE(expected(hgx_h100(1), Collective::all_reduce, 1024));
  EXPECT_FALSE(expected(hgx_h100(), Collective::all_reduce, 0));
}

TEST(BusFactor, AsNcclTestsCounts) {
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::send_receive, 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Collective::all_reduce, 1), 0);
  EXPECT_EQ(parse_collective("alltoall"), Collective::all_to_all);
  EXPECT_FALSE(parse_collective("hypercube"));
}

}  // namespace
}  // namespace railgauge::model::nccl_cost
