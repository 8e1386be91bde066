#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

Event& aer(Case& c, EventSeverity severity, const char* address, std::vector<std::string> bits) {
  Event& event = c.event(EventKind::aer, severity, "PCIe Bus Error");
  event.device = PciAddress::parse(address);
  event.bits = std::move(bits);
  return event;
}

TEST(AerCorrected, OneErrorIsANoteWithItsMeaning) {
  Case c;
  aer(c, EventSeverity::corrected, "0000:00:1b.0", {"RxErr"});
  const auto report = c.check({"PCI004", "PCI005"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "PCI005");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  EXPECT_TRUE(contains(report.findings[0].text, "signal integrity"));
}

TEST(AerCorrected, AFewADayAreNoStorm) {
  Case c;
  for (int day = 0; day < 20; ++day)
    aer(c, EventSeverity::corrected, "0000:00:1b.0", {"BadTLP"}).uptime_seconds = day * 86400.0;
  const auto report = c.check({"PCI004", "PCI005"});
  EXPECT_FALSE(said(report, "PCI004"));
  EXPECT_TRUE(passed(report, "PCI004"));
}

TEST(AerCorrected, MoreThanEightAMinuteIsAStorm) {
  Case c;
  for (int i = 0; i <= 20; ++i)
    aer(c, EventSeverity::corrected, "0000:00:1b.0", {"BadTLP"}).uptime_seconds = 100 + i * 6.0;
  const auto report = c.check({"PCI004", "PCI005"});
  ASSERT_TRUE(said(report, "PCI004"));
  EXPECT_TRUE(contains(report.findings[0].text, "10 a minute")) << report.findings[0].text;
  EXPECT_FALSE(said(report, "PCI005"));
}

TEST(AerCorrected, ManyInAShortExcerptAreAStorm) {
  Case c;
  for (int i = 0; i < 8; ++i) aer(c, EventSeverity::corrected, "0000:00:1b.0", {"RxErr"});
  EXPECT_TRUE(said(c.check("PCI004"), "PCI004"));
}

TEST(AerCorrected, AStormOfADriveIsANote) {
  Case c;
  const DeviceId gpu = c.slot(DeviceKind::gpu, "0000:16:01.0", "0000:17:00.0");
  (void)gpu;
  const DeviceId drive =
      c.t.endpoint(DeviceKind::nvme, c.t.root_port(c.t.host_bridge(c.t.numa(1))));
  c.at(drive, "0000:c1:00.0");
  for (int i = 0; i < 30; ++i) aer(c, EventSeverity::corrected, "0000:c1:00.0", {"RxErr"});
  const auto report = c.check("PCI004");
  ASSERT_TRUE(said(report, "PCI004"));
  EXPECT_EQ(report.findings[0].severity, Severity::note);
}

TEST(AerFatal, SurpriseDownBeforeAnXid79IsItsCause) {
  Case c;
  aer(c, EventSeverity::corrected, "0000:00:02.0", {"Timeout"}).uptime_seconds = 74785;
  aer(c, EventSeverity::fatal, "0000:00:02.0", {"SDES"});
  c.xid(79, "0000:02:00.0", "NVRM: Xid (PCI:0000:02:00): 79, GPU has fallen off the bus.");
  const auto report = c.check({"PCI", "GPU001"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "PCI007");
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_EQ(report.findings[0].consequences.size(), 2U);
  EXPECT_TRUE(contains(report.findings[0].text, "fell off the bus"));
}

TEST(AerFatal, AGpuBelowAnotherPortIsNotItsConsequence) {
  Case c;
  const DeviceId gpu = c.slot(DeviceKind::gpu, "0000:16:01.0", "0000:17:00.0");
  const DeviceId other = c.slot(DeviceKind::gpu, "0000:26:01.0", "0000:27:00.0");
  (void)gpu;
  (void)other;
  aer(c, EventSeverity::fatal, "0000:16:01.0", {"SDES"});
  c.xid(79, "0000:27:00.0");
  EXPECT_EQ(c.check({"PCI007", "GPU001"}).findings.size(), 2U);
}

TEST(AerFatal, ADriverThatCannotRecoverIsSaid) {
  Case c;
  aer(c, EventSeverity::fatal, "0000:00:03.0", {"SDES", "CmpltTO"}).text =
      "PCIe Bus Error; nvidia 0000:04:00.0: AER: can't recover (no error_detected callback)";
  const auto report = c.check("PCI007");
  ASSERT_TRUE(said(report, "PCI007"));
  EXPECT_TRUE(contains(report.findings[0].text, "could not recover"));
}

TEST(AerFatal, AQuietLogPasses) {
  Case c;
  c.quiet_log();
  const auto report = c.check({"PCI004", "PCI005", "PCI006", "PCI007", "PCI016", "PCI017"});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.passed.size(), 6U);
}

TEST(AerNonfatal, ALostTransactionIsAWarning) {
  Case c;
  aer(c, EventSeverity::nonfatal, "0000:17:00.0", {"CmpltTO"});
  const auto report = c.check("PCI006");
  ASSERT_TRUE(said(report, "PCI006"));
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
}

TEST(ApeiPcieError, OneCorrectedIsANoteAndAFatalOneAnError) {
  Case c;
  c.event(EventKind::apei, EventSeverity::corrected, "APEI; PCIe error").device =
      PciAddress::parse("0000:c1:00.0");
  EXPECT_EQ(c.check("PCI016").findings.at(0).severity, Severity::note);
  Case fatal;
  fatal.event(EventKind::apei, EventSeverity::fatal, "APEI; PCIe error").device =
      PciAddress::parse("0000:c1:00.0");
  EXPECT_EQ(fatal.check("PCI016").findings.at(0).severity, Severity::error);
}

TEST(PcieLinkLost, ALinkThatWentDownTakesTheXidIn) {
  Case c;
  const DeviceId gpu = c.slot(DeviceKind::gpu, "0000:16:01.0", "0000:17:00.0");
  (void)gpu;
  c.event(EventKind::pcie_hotplug, EventSeverity::nonfatal, "Slot(5): Link Down").device =
      PciAddress::parse("0000:16:01.0");
  c.xid(79, "0000:17:00.0");
  const auto report = c.check({"PCI017", "GPU001"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "PCI017");
}

TEST(PcieLinkLost, ALinkThatCameUpIsNone) {
  Case c;
  c.event(EventKind::pcie_hotplug, EventSeverity::information, "Slot(5): Link Up").device =
      PciAddress::parse("0000:16:01.0");
  EXPECT_TRUE(passed(c.check("PCI017"), "PCI017"));
}

TEST(AerHidden, NoaerAmongOtherWordsIsFound) {
  Case c;
  c.machine().host.kernel_arguments.claim({"quiet", "pci=realloc,noaer"}, c.t.sysfs());
  EXPECT_TRUE(said(c.check("PCI019"), "PCI019"));
  Case fine;
  fine.machine().host.kernel_arguments.claim({"quiet", "pci=realloc"}, fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("PCI019"), "PCI019"));
}

Case counting(std::uint64_t first, std::uint64_t later) {
  Case c;
  const DeviceId gpu = c.slot(DeviceKind::gpu, "0000:16:01.0", "0000:17:00.0");
  Counter& total = c.machine()[gpu].pci->aer_correctable["TOTAL_ERR_COR"];
  total.value.claim(first, c.t.sysfs());
  if (later >= first && later > 0) total.later.push_back({60, later});
  return c;
}

TEST(AerCountersGrowing, GrowthDecidesAndNotTheCount) {
  EXPECT_TRUE(said(counting(100, 109).check("PCI025"), "PCI025"));
  EXPECT_TRUE(passed(counting(100'000, 100'008).check("PCI025"), "PCI025"));
  EXPECT_TRUE(unknown(counting(100'000, 0).check("PCI025"), "PCI025"));
  EXPECT_TRUE(passed(counting(0, 0).check("PCI025"), "PCI025"));
}

TEST(PcieReplays, TheGpusOwnCounterIsJudgedAlike) {
  Case c;
  const DeviceId gpu = c.t.gpu({});
  Counter& replays = c.machine()[gpu].gpu->pcie_errors["replays"];
  replays.value.claim(5, c.t.sysfs());
  replays.later.push_back({30, 25});
  EXPECT_TRUE(said(c.check("PCI026"), "PCI026"));
  Case fine;
  fine.machine()[fine.t.gpu({})].gpu->pcie_errors["replays"].value.claim(0, fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("PCI026"), "PCI026"));
  Case silent;
  silent.t.gpu({});
  EXPECT_TRUE(unknown(silent.check("PCI026"), "PCI026"));
}

}  // namespace
}  // namespace railgauge::judge
