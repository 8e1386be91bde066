#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

CheckReport check(TestMachine t, const std::string& rule, bool guest = false) {
  t.settle();
  if (guest) t.machine.host.hypervisor.claim("kvm", from(t.machine, "sys"));
  const Catalogue catalogue;
  const Advice advice;
  return findings(Patient{.machine = t.machine, .catalogue = catalogue, .advice = advice},
                  {.only = {rule}});
}

const std::vector<std::string> half_rails{
    "GPU0 X NV4 NV4 NV4 PIX SYS|0", "GPU1 NV4 X NV4 NV4 SYS SYS|0", "GPU2 NV4 NV4 X NV4 SYS PIX|1",
    "GPU3 NV4 NV4 NV4 X SYS SYS|1", "NIC0 PIX SYS SYS SYS X SYS",   "NIC1 SYS SYS PIX SYS SYS X"};

const std::vector<std::string> rails{
    "GPU0 X NV4 NV4 PIX NODE SYS|0", "GPU1 NV4 X NV4 NODE PXB SYS|0",
    "GPU2 NV4 NV4 X SYS SYS PIX|1",  "NIC0 PIX NODE SYS X NODE SYS",
    "NIC1 NODE PXB SYS NODE X SYS",  "NIC2 SYS SYS PIX SYS SYS X"};

TEST(GpuNic, HalfOfTheGpusHaveNoRail) {
  const CheckReport report = check(matrix_machine(half_rails), "NET001");
  ASSERT_EQ(report.findings.size(), 1U);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.subject, "gpu1, gpu3");
  EXPECT_TRUE(says(finding, "2 of 4 GPUs have no adapter"));
  EXPECT_EQ(finding.evidence[0].observed, "SYS");
}

TEST(GpuNic, AcrossSocketsIsAConsequenceOfIt) {
  const CheckReport report = check(matrix_machine(half_rails), "NET");
  ASSERT_GE(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "NET001");
  ASSERT_EQ(report.findings[0].consequences.size(), 1U);
  EXPECT_EQ(report.findings[0].consequences[0].id, "NET005");
}

TEST(GpuNic, OneRailEachPassesInWhateverOrder) {
  for (const char* rule : {"NET001", "NET002", "NET005"})
    EXPECT_EQ(check(matrix_machine(rails), rule).passed.size(), 1U) << rule;
}

TEST(GpuNic, StorageAdaptersFarAwayAreNobodysFault) {
  const std::vector<std::string> rows{"GPU0 X NV4 PXB SYS|0", "GPU1 NV4 X PXB SYS|0",
                                      "NIC0 PXB PXB X SYS", "NIC1 SYS SYS SYS X"};
  EXPECT_EQ(check(matrix_machine(rows), "NET001").passed.size(), 1U);
  const CheckReport shared = check(matrix_machine(rows), "NET002");
  ASSERT_EQ(shared.findings.size(), 1U);
  EXPECT_EQ(shared.findings[0].severity, Severity::note);
}

TEST(GpuNic, WhereNoGpuHasARailTheBoardIsBuiltSo) {
  const std::vector<std::string> rows{"GPU0 X NODE NODE|0", "GPU1 NODE X PHB|0", "NIC0 NODE PHB X"};
  EXPECT_EQ(check(matrix_machine(rows), "NET001").passed.size(), 1U);
  EXPECT_EQ(check(matrix_machine(rows), "NET005").passed.size(), 1U);
}

TEST(GpuNic, EverythingSysIsANoteUnlessTheCpuIsKnown) {
  const std::vector<std::string> rows{"GPU0 X NV18 SYS SYS|0", "GPU1 NV18 X SYS SYS|0",
                                      "NIC0 SYS SYS X SYS", "NIC1 SYS SYS SYS X"};
  TestMachine unknown = matrix_machine(rows);
  EXPECT_EQ(check(unknown, "NET005").findings.at(0).severity, Severity::note);
  TestMachine x86 = matrix_machine(rows);
  const auto package = x86.package();
  x86.machine[package].cpu.emplace().architecture.claim("x86_64", x86.sysfs());
  EXPECT_EQ(check(x86, "NET005").findings.at(0).severity, Severity::warning);
  TestMachine grace = matrix_machine(rows);
  grace.machine[{0}].gpu->gpu_numa_id.claim(2, grace.sysfs());
  EXPECT_EQ(check(grace, "NET005").passed.size(), 1U);
}

TEST(GpuNic, AGuestsDistancesAreUnknownUnlessTrusted) {
  const CheckReport report = check(matrix_machine(half_rails), "NET001", true);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.not_checked.size(), 1U);
}

TEST(GpuNic, WithoutAdaptersNothingIsJudged) {
  const CheckReport report = check(matrix_machine({"GPU0 X NV18|0", "GPU1 NV18 X|0"}), "NET001");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.passed.empty());
  EXPECT_EQ(report.not_checked.size(), 1U);
}

TEST(Uplink, BetweenGpusOfOneNvlinkDomainItIsNotSaid) {
  Bench b;
  const auto up = b.t.pcie_switch(b.t.root_port(b.t.host_bridge(b.t.numa(0))));
  const auto first = b.t.gpu(b.t.below(up));
  b.t.nvlink(first, b.t.gpu(b.t.below(up)), 4);
  EXPECT_TRUE(b.passes("NET003"));
}

TEST(Uplink, FourGpusOnOneUplinkAreANote) {
  Bench b;
  const auto up = b.t.pcie_switch(b.t.root_port(b.t.host_bridge(b.t.numa(0))));
  for (int i = 0; i < 4; ++i) b.t.gpu(b.t.below(up));
  EXPECT_EQ(b.only("NET003").severity, Severity::note);
  Bench alone;
  alone.t.gpu(
      alone.t.below(alone.t.pcie_switch(alone.t.root_port(alone.t.host_bridge(alone.t.numa(0))))));
  EXPECT_TRUE(alone.passes("NET003"));
}

void add_rail(TestMachine& t, std::uint32_t id, double gigabits) {
  const auto here = t.sysfs();
  auto& nic = *t.machine[{id}].nic;
  nic.rdma_device.claim("mlx5_" + std::to_string(id), here);
  NicPort port;
  port.state.claim("ACTIVE", here);
  port.rate.claim(gigabits_per_second(gigabits), here);
  nic.ports.push_back(port);
}

TEST(Rates, ARailOfAQuarterOfTheRateSlowsAll) {
  TestMachine t = matrix_machine(rails);
  add_rail(t, 3, 400);
  add_rail(t, 4, 100);
  add_rail(t, 5, 400);
  const CheckReport report = check(t, "NET012");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].subject, "mlx5_4");
  EXPECT_DOUBLE_EQ(*report.findings[0].impact.lost_fraction, 0.75);
}

TEST(Rates, EqualRailsPass) {
  TestMachine t = matrix_machine(rails);
  for (const std::uint32_t id : {3U, 4U, 5U}) add_rail(t, id, 400);
  EXPECT_EQ(check(t, "NET012").passed.size(), 1U);
}

}  // namespace
}  // namespace railgauge::judge
