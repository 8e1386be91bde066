// The rings that NCCL's log tells of.
#include <gtest/gtest.h>

#include "base/strings.h"
#include "model/testing.h"
#include "present/present.h"

namespace railgauge::present {
namespace {

using namespace model;

Machine with_log(const std::vector<std::vector<int>>& rings) {
  Machine machine;
  const SourceRef here = machine.sources.add("job.log", Trust::tool);
  NcclRun& run = machine.nccl_runs.emplace_back();
  run.version.claim("2.28.9", here);
  run.network.claim("IB", here);
  run.rings = rings;
  for (int i = 0; i < 4; ++i) {
    NcclRank rank;
    rank.rank = i;
    rank.host = "n1";
    run.ranks.push_back(rank);
    const DeviceId gpu = machine.add(DeviceKind::gpu, here);
    machine[gpu].index.claim(i, here);
    machine[gpu].gpu->rank.claim(i, here);
    run.connections.push_back({.from = i, .to = (i + 1) % 4, .via = "P2P/CUMEM", .channels = 2});
  }
  for (std::uint32_t a = 0; a < 4; ++a)
    for (std::uint32_t b = a + 1; b < 4; ++b)
      machine.pair({a}, {b}).smi.claim(*PathClass::parse("NV12"), here);
  settle(machine, round_catalogue());
  return machine;
}

TEST(TreeNccl, EachDistinctRingIsOneLine) {
  const std::string text = text_tree(with_log({{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 3, 2, 1}}), {});
  EXPECT_TRUE(contains(text, "NCCL      version 2.28.9  network IB  4 ranks on 1 host\n")) << text;
  EXPECT_TRUE(
      contains(text, "Rings     0 → 1 → 2 → 3 → 0  (P2P/CUMEM over NVLink ×12)  2 channels\n"))
      << text;
  EXPECT_TRUE(contains(text, "          0 → 3 → 2 → 1 → 0  (NVLink ×12)\n")) << text;
}

TEST(TreeNccl, AnotherWayThanMostIsNamed) {
  Machine machine = with_log({{0, 1, 2, 3}});
  machine.nccl_runs[0].connections[1].via = "SHM/direct/direct";
  const std::string text = text_tree(machine, {});
  EXPECT_TRUE(contains(text, "1 → 2 SHM/direct/direct over NVLink ×12")) << text;
}

TEST(TreeNccl, StepsOfOneNodeArePiecesOfARing) {
  Machine machine = with_log({});
  machine.nccl_runs[0].ring_steps = {{0, 7, 0, 1}, {0, 0, 1, 2}, {0, 1, 2, 3}, {0, 2, 3, 4}};
  EXPECT_TRUE(contains(text_tree(machine, {}), "Rings     7 → 0 → 1 → 2 → 3 → 4  ("));
}

TEST(TreeNccl, LongRingsShowBothEnds) {
  std::vector<int> ranks;
  for (int i = 0; i < 64; ++i) ranks.push_back(i);
  const std::string text = text_tree(with_log({ranks}), {});
  EXPECT_TRUE(contains(text, "6 → 7 → … (64 ranks) → 62 → 63 → 0")) << text;
}

TEST(TreeNccl, NothingWithoutALog) {
  Machine machine;
  EXPECT_FALSE(contains(text_tree(machine, {}), "NCCL"));
}

}  // namespace
}  // namespace railgauge::present
