#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

Case gpu_at(int generation, int width) {
  Case c;
  const DeviceId gpu = c.slot(DeviceKind::gpu, "0000:16:01.0", "0000:17:00.0");
  LinkEnd& end = c.machine()[gpu].pci->link;
  c.set(end.current_speed, *PcieSpeed::of_generation(generation));
  c.set(end.current_width, width);
  return c;
}

Device& the(Case& c, DeviceKind kind) { return c.machine()[c.machine().of_kind(kind).front()]; }

TEST(PcieLinkNarrow, LostLanesAreAnErrorEvenWhenTheGpuIsIdle) {
  Case c = gpu_at(1, 4);
  the(c, DeviceKind::gpu).gpu->p_state.claim("P8", c.t.sysfs());
  c.t.settle();
  const auto report = c.check({"PCI012", "PCI001"});
  const Finding* finding = find(report, "PCI012");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, Severity::error);
  EXPECT_TRUE(contains(finding->text, "x4 of x16")) << finding->text;
  EXPECT_EQ(report.findings.size(), 1U) << "the speed of an idle GPU is nobody's fault";
}

TEST(PcieLinkNarrow, FullWidthPasses) {
  Case c = gpu_at(5, 16);
  c.t.settle();
  EXPECT_TRUE(passed(c.check("PCI012"), "PCI012"));
}

TEST(PcieLinkNarrow, AGuestsLinkIsUnknownUnlessTrusted) {
  Case c = gpu_at(5, 8);
  c.guest();
  c.t.settle();
  EXPECT_TRUE(unknown(c.check("PCI012"), "PCI012"));
  c.trust_virtual_links = true;
  EXPECT_TRUE(said(c.check("PCI012"), "PCI012"));
}

TEST(PcieLinkNarrow, AManagementAdapterAndStorageAreNotJudged) {
  Case c;
  const DeviceId nic = c.slot(DeviceKind::nic, "0000:00:1c.0", "0000:01:00.0");
  LinkEnd& end = c.machine()[nic].pci->link;
  c.set(end.max_width, 2);
  c.set(end.current_width, 1);
  c.set(end.max_speed, *PcieSpeed::of_generation(2));
  const DeviceId drive =
      c.t.endpoint(DeviceKind::nvme, c.t.root_port(c.t.host_bridge(c.t.numa(1))));
  c.set(c.machine()[drive].pci->link.current_width, 2);
  c.t.settle();
  EXPECT_TRUE(c.check({"PCI012", "PCI001", "PCI018"}).findings.empty());
}

TEST(PcieLinkNarrow, AnAdapterWhosePortsNeedLessLosesNothing) {
  Case c;
  const DeviceId nic = c.slot(DeviceKind::nic, "0000:16:01.0", "0000:17:00.0");
  c.set(c.machine()[nic].pci->link.current_width, 8);
  NicPort port;
  port.rate.claim(gigabits_per_second(100), c.t.sysfs());
  c.machine()[nic].nic->ports.push_back(port);
  c.t.settle();
  EXPECT_TRUE(passed(c.check("PCI012"), "PCI012"));
}

TEST(PcieLinkNarrow, AWidthThatOnlyAFileStatesIsUnknown) {
  Case c = gpu_at(5, 16);
  Fact<int>& width = the(c, DeviceKind::gpu).pci->link.current_width;
  width = {};
  width.claim(8, from(c.machine(), "topo.xml", Trust::file));
  c.t.settle();
  const auto report = c.check("PCI012");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(unknown(report, "PCI012"));
}

TEST(PcieSlotNarrow, HalfASlotIsANoteAndAQuarterAWarning) {
  for (const auto& [lanes, severity] :
       {std::pair{8, Severity::note}, std::pair{4, Severity::warning}}) {
    Case c = gpu_at(5, lanes);
    c.set(the(c, DeviceKind::root_port).pci->link.max_width, lanes);
    c.t.settle();
    const auto report = c.check({"PCI018", "PCI012"});
    ASSERT_EQ(report.findings.size(), 1U) << lanes;
    EXPECT_EQ(report.findings[0].id, "PCI018");
    EXPECT_EQ(report.findings[0].severity, severity) << lanes;
  }
}

TEST(PcieSlotNarrow, OneLaneWithoutASeenPortIsAPlaceWiredSo) {
  Case c;
  const DeviceId gpu = c.t.gpu({});
  LinkEnd& end = c.machine()[gpu].pci->link;
  c.set(end.current_speed, *PcieSpeed::of_generation(2));
  c.set(end.current_width, 1);
  c.set(end.max_speed, *PcieSpeed::of_generation(3));
  c.t.settle();
  const auto report = c.check({"PCI018", "PCI012", "PCI001"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "PCI018");
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(report.findings[0].impact.lost_fraction.has_value());
}

TEST(PcieLinkSlow, AWorkingGpuBelowItsSpeedFails) {
  Case c = gpu_at(3, 16);
  the(c, DeviceKind::gpu).gpu->utilization_percent.claim(90, c.t.sysfs());
  c.t.settle();
  EXPECT_TRUE(said(c.check("PCI001"), "PCI001"));
}

TEST(PcieLinkSlow, AGpuOfUnknownOrNoLoadIsUnknown) {
  Case c = gpu_at(1, 16);
  c.t.settle();
  EXPECT_TRUE(unknown(c.check("PCI001"), "PCI001"));
  Case idle = gpu_at(1, 16);
  the(idle, DeviceKind::gpu).gpu->p_state.claim("P0", idle.t.sysfs());
  the(idle, DeviceKind::gpu).gpu->utilization_percent.claim(0, idle.t.sysfs());
  idle.t.settle();
  EXPECT_TRUE(idle.check("PCI001").findings.empty());
}

TEST(PcieLinkSlow, AnAdapterDoesNotSlowDownAtRest) {
  Case c;
  const DeviceId nic = c.slot(DeviceKind::nic, "0000:b4:00.0", "0000:b5:00.0");
  LinkEnd& end = c.machine()[nic].pci->link;
  c.set(end.max_speed, *PcieSpeed::of_generation(4));
  c.set(end.current_speed, *PcieSpeed::of_generation(3));
  c.t.settle();
  const auto report = c.check("PCI001");
  ASSERT_TRUE(said(report, "PCI001"));
  EXPECT_TRUE(contains(report.findings[0].text, "128 Gb/s")) << report.findings[0].text;
}

TEST(PcieLinkSlow, AGen4CardInAGen5SlotIsAsFastAsItCanBe) {
  Case c;
  const DeviceId nic = c.slot(DeviceKind::nic, "0000:b4:00.0", "0000:b5:00.0");
  LinkEnd& end = c.machine()[nic].pci->link;
  c.set(end.max_speed, *PcieSpeed::of_generation(4));
  c.set(end.current_speed, *PcieSpeed::of_generation(4));
  c.t.settle();
  EXPECT_TRUE(passed(c.check("PCI001"), "PCI001"));
}

TEST(PcieBandwidthLimited, TheKernelNamesThePort) {
  Case c;
  Event& event = c.event(EventKind::pcie_limited, EventSeverity::warning,
                         "0003:01:00.0: 7.876 Gb/s available PCIe bandwidth, limited by 8.0 GT/s "
                         "PCIe x1 link at 0003:00:00.0 (capable of 15.752 Gb/s with 8.0 GT/s PCIe "
                         "x2 link)");
  event.device = PciAddress::parse("0003:01:00.0");
  event.reporter = PciAddress::parse("0003:00:00.0");
  const auto report = c.check("PCI003");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings[0].text, "7.9 Gb/s of 15.8 Gb/s"));
  EXPECT_TRUE(contains(report.findings[0].text, "0003:00:00.0"));
}

TEST(PcieBandwidthLimited, FullBandwidthPassesAndAGpusStartSpeedIsANote) {
  Case c;
  c.event(EventKind::pcie_bandwidth, EventSeverity::information,
          "504.112 Gb/s available PCIe bandwidth (32.0 GT/s PCIe x16 link)");
  EXPECT_TRUE(passed(c.check("PCI003"), "PCI003"));
  Case gpu;
  const DeviceId id = gpu.t.gpu({});
  gpu.at(id, "0000:03:00.0");
  gpu.event(EventKind::pcie_limited, EventSeverity::warning,
            "amdgpu 0000:03:00.0: 32.000 Gb/s available PCIe bandwidth, limited by 2.5 GT/s PCIe "
            "x16 link at 0000:00:01.1 (capable of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)")
      .device = PciAddress::parse("0000:03:00.0");
  const auto report = gpu.check("PCI003");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::note);
}

TEST(PcieBandwidthLimited, ANarrowLinkTakesTheKernelsWordsIn) {
  Case c = gpu_at(5, 8);
  c.event(EventKind::pcie_limited, EventSeverity::warning,
          "0000:17:00.0: 252.048 Gb/s available PCIe bandwidth, limited by 32.0 GT/s PCIe x8 link "
          "at 0000:16:01.0 (capable of 504.112 Gb/s with 32.0 GT/s PCIe x16 link)")
      .device = PciAddress::parse("0000:17:00.0");
  c.t.settle();
  const auto report = c.check({"PCI003", "PCI012"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "PCI012");
  ASSERT_EQ(report.findings[0].consequences.size(), 1U);
}

Case adapter(double gbit, int generation) {
  Case c;
  const DeviceId nic = c.slot(DeviceKind::nic, "0000:16:01.0", "0000:17:00.0");
  LinkEnd& end = c.machine()[nic].pci->link;
  c.set(end.max_speed, *PcieSpeed::of_generation(generation));
  c.set(end.current_speed, *PcieSpeed::of_generation(generation));
  NicPort port;
  if (gbit > 0) port.rate.claim(gigabits_per_second(gbit), c.t.sysfs());
  c.machine()[nic].nic->ports.push_back(port);
  c.t.settle();
  return c;
}

TEST(NicAboveItsSlot, APortFasterThanItsLinkIsAWarning) {
  const auto report = adapter(400, 4).check("PCI021");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings[0].text, "50 GB/s"));
}

TEST(NicAboveItsSlot, APortThatFitsPassesAndAnUnknownRateIsUnknown) {
  EXPECT_TRUE(passed(adapter(400, 5).check("PCI021"), "PCI021"));
  EXPECT_TRUE(unknown(adapter(0, 5).check("PCI021"), "PCI021"));
}

}  // namespace
}  // namespace railgauge::judge
