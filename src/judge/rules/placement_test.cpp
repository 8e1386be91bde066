#include "judge/rules/placement_cpu_set.h"
#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(CpuSet, ListsAreReadAndJoined) {
  EXPECT_EQ(CpuSet::parse("0-3,8,4")->text(), "0-4,8");
  EXPECT_EQ(CpuSet::parse("0-3,8,4")->count(), 6);
  EXPECT_FALSE(CpuSet::parse("0-"));
  EXPECT_FALSE(CpuSet::parse("3-1"));
  EXPECT_FALSE(CpuSet::parse(""));
  EXPECT_FALSE(CpuSet::parse("0-99999999"));
}

// The same by trying every number.
TEST(CpuSet, MeetsAndWithinAgreeWithCounting) {
  Random random(7);
  const auto make = [&] {
    CpuSet out;
    for (int i = 0; i < 3; ++i) {
      const int first = static_cast<int>(random.below(30));
      out.add(first, first + static_cast<int>(random.below(4)));
    }
    return out;
  };
  for (int round = 0; round < 300; ++round) {
    const CpuSet a = make();
    const CpuSet b = make();
    bool meets = false;
    bool within = true;
    int count = 0;
    for (int cpu = 0; cpu < 40; ++cpu) {
      meets |= a.has(cpu) && b.has(cpu);
      within &= !a.has(cpu) || b.has(cpu);
      count += a.has(cpu) ? 1 : 0;
    }
    EXPECT_EQ(a.meets(b), meets) << a.text() << " " << b.text();
    EXPECT_EQ(a.within(b), within) << a.text() << " " << b.text();
    EXPECT_EQ(a.count(), count) << a.text();
    EXPECT_EQ(CpuSet::parse(a.text()), a);
  }
}

DeviceId gpu(Bench& b, int node, const char* cpus) {
  const auto id = b.machine.add(DeviceKind::gpu, b.here);
  b.machine[id].index.claim(static_cast<int>(id.value), b.here);
  b.machine[id].numa_node.claim(node, b.here);
  b.machine[id].gpu->cpu_affinity.claim(cpus, b.here);
  return id;
}

TEST(GpuAffinity, AGpuOfNode1ShownWithTheCpusOfNode0) {
  Bench b;
  b.nodes(2, 8);
  gpu(b, 0, "0-7");
  gpu(b, 1, "0-7");
  const Finding finding = b.only("NUM001");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "on NUMA node 1 and is shown with the CPUs of node 0 (0-7)"));
  EXPECT_EQ(finding.remedy[0].command, "numactl --cpunodebind=1 --membind=1 PROGRAM");
}

TEST(GpuAffinity, AMatrixAloneContradictsItself) {
  Bench b;
  gpu(b, 0, "0-47");
  gpu(b, 1, "0-47");
  EXPECT_TRUE(says(b.only("NUM001"), "node 1"));
}

TEST(GpuAffinity, TwoSocketsShownAsOne) {
  Bench b;
  const DeviceId ids[] = {gpu(b, 0, "0-47"), gpu(b, 0, "0-47"), gpu(b, 0, "0-47"),
                          gpu(b, 0, "0-47")};
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) b.t.cell(ids[i], ids[j], i / 2 == j / 2 ? "NODE" : "SYS");
  const CheckReport report = b.check("NUM001");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].devices, (std::vector<DeviceId>{ids[2], ids[3]}));
}

TEST(GpuAffinity, APlatformThatSaysSysForEveryPairSaysNothing) {
  Bench b;
  const DeviceId ids[] = {gpu(b, 0, "0-47"), gpu(b, 0, "0-47"), gpu(b, 0, "0-47")};
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) b.t.cell(ids[i], ids[j], "SYS");
  EXPECT_TRUE(b.passes("NUM001"));
}

TEST(GpuAffinity, OwnCpusOrAPartOfThemPass) {
  Bench b;
  b.nodes(2, 8);
  gpu(b, 0, "0-7");
  gpu(b, 1, "8-11");
  EXPECT_TRUE(b.passes("NUM001"));
  Bench matrix;
  gpu(matrix, 3, "48-63");
  gpu(matrix, 1, "16-31");
  EXPECT_TRUE(matrix.passes("NUM001"));
}

TEST(GpuAffinity, EveryCpuForEveryGpuSaysNothing) {
  Bench b;
  b.nodes(2, 8);
  const auto id = b.machine.add(DeviceKind::gpu, b.here);
  b.machine[id].gpu->cpu_affinity.claim("0-15", b.here);
  b.machine[id].gpu->numa_affinity.claim("0-1", b.here);
  EXPECT_TRUE(b.unknown("NUM001"));
}

TEST(NumaNode, UnknownOnBareMetalIsAFaultAndInAGuestANote) {
  Bench b;
  b.nodes(2, 8);
  const auto id = b.machine.add(DeviceKind::gpu, b.here);
  b.machine[id].numa_node.refuse("the kernel says -1", b.here);
  EXPECT_EQ(b.only("NUM009").severity, Severity::warning);
  b.guest();
  EXPECT_EQ(b.only("NUM009").severity, Severity::note);
  Bench one;
  one.nodes(1, 8);
  const auto lone = one.machine.add(DeviceKind::gpu, one.here);
  one.machine[lone].numa_node.refuse("the kernel says -1", one.here);
  EXPECT_TRUE(one.silent("NUM009"));
}

TEST(OneSocket, AllAdaptersOnOneWhileGpusAreOnTwo) {
  Bench b;
  b.nodes(2, 8);
  const auto first = gpu(b, 0, "0-7");
  gpu(b, 1, "8-15");
  for (const char* name : {"mlx5_0", "mlx5_1"}) {
    const auto nic = b.nic(name);
    b.machine[nic].numa_node.claim(0, b.here);
    b.t.cell(first, nic, "PIX");
  }
  EXPECT_EQ(b.only("NUM012").severity, Severity::note);
  const auto far = b.nic("mlx5_2");
  b.machine[far].numa_node.claim(1, b.here);
  b.t.cell(first, far, "SYS");
  EXPECT_TRUE(b.passes("NUM012"));
}

TEST(ProcessMask, OtherNodesThanTheGpusIs) {
  Bench b;
  b.nodes(2, 8);
  gpu(b, 1, "8-15");
  b.machine.host.cpus_allowed.claim("0-7", b.here);
  EXPECT_EQ(b.only("NUM002").severity, Severity::warning);
  b.machine.host.cpus_allowed = {};
  b.machine.host.cpus_allowed.claim("0-15", b.here);
  EXPECT_TRUE(b.passes("NUM002"));
}

TEST(ProcessMask, OnlyVisibleGpusCount) {
  Bench b;
  b.nodes(2, 8);
  const auto first = gpu(b, 0, "0-7");
  gpu(b, 1, "8-15");
  b.machine.host.cpus_allowed.claim("8-15", b.here);
  EXPECT_TRUE(b.passes("NUM002"));
  b.variable("CUDA_VISIBLE_DEVICES", std::to_string(*b.machine[first].index).c_str());
  EXPECT_EQ(b.only("NUM002").severity, Severity::warning);
}

TEST(ProcessMask, AGpuWithoutANodeIsUnknown) {
  Bench b;
  b.nodes(2, 8);
  b.machine.add(DeviceKind::gpu, b.here);
  b.machine.host.cpus_allowed.claim("0-7", b.here);
  EXPECT_TRUE(b.unknown("NUM002"));
}

TEST(ProcessMask, OneCpuForTwoGpusIsNarrowAndSomeAreANote) {
  Bench b;
  b.nodes(2, 8);
  gpu(b, 0, "0-7");
  gpu(b, 1, "8-15");
  b.machine.host.cpus_allowed.claim("0", b.here);
  EXPECT_EQ(b.only("NUM003").severity, Severity::warning);
  b.machine.host.cpus_allowed = {};
  b.machine.host.cpus_allowed.claim("0-3", b.here);
  EXPECT_EQ(b.only("NUM003").severity, Severity::note);
  b.machine.host.cpus_allowed = {};
  b.machine.host.cpus_allowed.claim("0-15", b.here);
  EXPECT_TRUE(b.passes("NUM003"));
}

TEST(Cores, FewerThanFourAGpuAreANote) {
  Bench b;
  const auto package = b.t.package();
  b.machine[package].cpu.emplace().core_count.claim(6, b.here);
  b.nodes(1, 12);
  gpu(b, 0, "0-11");
  gpu(b, 0, "0-11");
  EXPECT_EQ(b.only("NUM011").severity, Severity::note);
  Bench enough;
  const auto large = enough.t.package();
  enough.machine[large].cpu.emplace().core_count.claim(48, enough.here);
  enough.nodes(1, 96);
  gpu(enough, 0, "0-95");
  EXPECT_TRUE(enough.passes("NUM011"));
}

TEST(Memory, AMaskWithoutTheNearNodeAndANodeWithoutMemory) {
  Bench b;
  b.nodes(2, 8);
  b.machine.host.cpus_allowed.claim("0-15", b.here);
  b.machine.host.numa_nodes_allowed.claim("0", b.here);
  EXPECT_TRUE(says(b.only("NUM004"), "runs on node 1"));
  Bench empty;
  empty.nodes(2, 8);
  empty.machine[{0}].cpu->memory_bytes.claim(512ULL << 30, empty.here);
  empty.machine[{1}].cpu->memory_bytes.claim(0, empty.here);
  EXPECT_TRUE(says(empty.only("NUM004"), "no memory"));
}

TEST(Memory, AllNodesAllowedAndFilledPass) {
  Bench b;
  b.nodes(2, 8);
  b.machine.host.cpus_allowed.claim("0-15", b.here);
  b.machine.host.numa_nodes_allowed.claim("0-1", b.here);
  for (const std::uint32_t id : {0U, 1U})
    b.machine[{id}].cpu->memory_bytes.claim(512ULL << 30, b.here);
  EXPECT_TRUE(b.passes("NUM004"));
}

TEST(Memory, NumaBalancingIsANote) {
  Bench b;
  b.nodes(2, 8);
  b.machine.host.numa_balancing.claim(true, b.here);
  EXPECT_EQ(b.only("NUM008").severity, Severity::note);
  b.machine.host.numa_balancing = {};
  b.machine.host.numa_balancing.claim(false, b.here);
  EXPECT_TRUE(b.passes("NUM008"));
}

}  // namespace
}  // namespace railgauge::judge
