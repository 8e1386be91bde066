#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr PciAddress card{0, 0x18, 0, 0};

DeviceId adapter(Bench& b, std::optional<int> node) {
  const auto id = b.nic("mlx5_0");
  b.machine[id].address.claim(card, b.here);
  if (node) b.machine[id].numa_node.claim(*node, b.here);
  return id;
}

// As many vectors, each taken `count` times by its CPU.
void vectors(Bench& b, const std::vector<int>& cpus, std::uint64_t count) {
  int number = 100;
  for (const int cpu : cpus) {
    Interrupt interrupt;
    interrupt.number = number++;
    interrupt.label = "mlx5_comp" + std::to_string(number - 101) + "@pci:0000:18:00.0";
    interrupt.device.claim(card, b.here);
    interrupt.affinity.claim(std::to_string(cpu), b.here);
    interrupt.cpus[cpu].value.claim(count, b.here);
    b.machine.interrupts.push_back(interrupt);
  }
}

TEST(Interrupts, OnTheOtherNode) {
  Bench b;
  b.nodes(2, 8);
  adapter(b, 1);
  vectors(b, {0, 1, 2, 9}, 1'000'000);
  const Finding finding = b.only("NUM005");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "75 % of its 4000000 interrupts"));
}

TEST(Interrupts, FewOfAnAdapterThatPollsAreANote) {
  Bench b;
  b.nodes(2, 8);
  adapter(b, 1);
  vectors(b, {0, 1, 2, 3}, 10);
  EXPECT_EQ(b.only("NUM005").severity, Severity::note);
}

TEST(Interrupts, OnTheOwnNodePassAndAnUnknownNodeIsUnknown) {
  Bench b;
  b.nodes(2, 8);
  adapter(b, 1);
  vectors(b, {8, 9, 10, 11}, 1'000'000);
  EXPECT_TRUE(b.passes("NUM005"));
  EXPECT_TRUE(b.passes("NUM006"));
  Bench unknown;
  unknown.nodes(2, 8);
  adapter(unknown, {});
  vectors(unknown, {8, 9, 10, 11}, 1'000'000);
  EXPECT_TRUE(unknown.unknown("NUM005"));
}

TEST(Interrupts, AllVectorsOnOneCpu) {
  Bench b;
  b.nodes(1, 8);
  adapter(b, 0);
  vectors(b, {3, 3, 3, 3}, 1'000'000);
  const Finding finding = b.only("NUM006");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "CPU 3 takes 100 %"));
}

TEST(Interrupts, OneVectorIsNoQueue) {
  Bench b;
  b.nodes(1, 8);
  adapter(b, 0);
  vectors(b, {3}, 1'000'000);
  EXPECT_TRUE(b.silent("NUM006"));
}

TEST(Interrupts, IrqbalanceIsANoteWhileItRuns) {
  Bench b;
  b.machine.host.services["irqbalance"].claim("running", b.here);
  EXPECT_EQ(b.only("NUM007").severity, Severity::note);
  Bench without;
  without.machine.host.services["slurmd"].claim("running", without.here);
  EXPECT_TRUE(without.passes("NUM007"));
}

void rank_on(Bench& b, const char* mask) {
  NcclRun run;
  NcclRank rank;
  rank.affinity = mask;
  run.ranks.push_back(rank);
  b.machine.nccl_runs.push_back(run);
}

TEST(Interrupts, OnTheCpusOfARank) {
  Bench b;
  b.nodes(1, 64);
  adapter(b, 0);
  vectors(b, {33, 2, 3, 4}, 1'000'000);
  rank_on(b, "2,00000000");  // CPU 33
  const Finding finding = b.only("NUM013");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "(33)"));
}

TEST(Interrupts, ARankWithManyCpusStepsAside) {
  Bench b;
  b.nodes(1, 64);
  adapter(b, 0);
  vectors(b, {33, 2, 3, 4}, 1'000'000);
  rank_on(b, "ffffffff,ffffffff");
  EXPECT_TRUE(b.silent("NUM013"));
}

}  // namespace
}  // namespace railgauge::judge
