#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

// GPUs with numbers and addresses, as the driver lists them.
Case gpus(int count, const char* name = "NVIDIA H100 80GB HBM3") {
  Case c;
  for (int i = 0; i < count; ++i) {
    const DeviceId id = c.t.gpu({}, name);
    const std::string address = "0000:" + std::to_string(10 + i) + ":00.0";
    c.at(id, address.c_str());
  }
  return c;
}

GpuFacts& first(Case& c) { return *c.machine()[c.machine().of_kind(DeviceKind::gpu).front()].gpu; }

TEST(GpuNeedsRecovery, TheDriversOwnWord) {
  Case c = gpus(1);
  EXPECT_TRUE(unknown(c.check("GPU009"), "GPU009"));
  first(c).recovery_action.claim("drain_p2p", c.t.sysfs());
  const auto report = c.check("GPU009");
  ASSERT_TRUE(said(report, "GPU009"));
  EXPECT_TRUE(contains(report.findings[0].text, "drain p2p"));
  c.set(first(c).recovery_action, std::string("none"));
  EXPECT_TRUE(passed(c.check("GPU009"), "GPU009"));
}

TEST(GpuNeedsRecovery, TheLastXid154Counts) {
  Case c;
  Event& event = c.xid(154, "0000:10:00.0",
                       "NVRM: Xid (PCI:0000:10:00): 154, GPU recovery action changed from 0x0 "
                       "(None) to 0x2 (Node Reboot Required)");
  event.severity = EventSeverity::fatal;
  const auto report = c.check("GPU009");
  ASSERT_TRUE(said(report, "GPU009"));
  EXPECT_TRUE(contains(report.findings[0].text, "node reboot required"));
  c.xid(154, "0000:10:00.0", "… from 0x2 (Node Reboot Required) to 0x0 (None)").severity =
      EventSeverity::information;
  EXPECT_TRUE(passed(c.check("GPU009"), "GPU009"));
}

TEST(GpuNeedsRecovery, TheXidBeforeItTakesItIn) {
  Case c;
  c.xid(119, "0000:10:00.0");
  c.xid(154, "0000:10:00.0", "… to 0x1 (GPU Reset Required)").severity = EventSeverity::fatal;
  const auto report = c.check({"GPU002", "GPU009"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "GPU002");
}

TEST(GpuMissing, AgainstAnOlderRecording) {
  const Case before = gpus(8);
  Case c = gpus(7);
  c.earlier = &before.t.machine;
  const auto report = c.check("GPU010");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(contains(report.findings[0].subject, "0000:17:00.0"));
  Case same = gpus(8);
  same.earlier = &before.t.machine;
  EXPECT_TRUE(passed(same.check("GPU010"), "GPU010"));
}

TEST(GpuMissing, AgainstTheMachineItShouldBe) {
  const Case reference = gpus(8);
  Case c = gpus(6);
  c.reference = &reference.t.machine;
  EXPECT_TRUE(said(c.check("GPU010"), "GPU010"));
  Case fine = gpus(8);
  fine.reference = &reference.t.machine;
  EXPECT_TRUE(passed(fine.check("GPU010"), "GPU010"));
}

TEST(GpuMissing, OnTheBusWithoutTheDriver) {
  Case c = gpus(4);
  const PciId h100{0x10de, 0x2330};
  for (const DeviceId id : c.machine().of_kind(DeviceKind::gpu))
    c.machine()[id].pci->id.claim(h100, c.t.sysfs());
  const DeviceId lost = c.t.gpu({});
  c.machine()[lost].index = {};
  c.machine()[lost].pci->id.claim(h100, c.t.sysfs());
  c.at(lost, "0000:9b:00.0");
  const auto report = c.check("GPU010");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(contains(report.findings[0].text, "on the bus"));
}

TEST(GpuMissing, AGapInTheDriversNumbersIsAWarning) {
  Case c = gpus(7);
  c.set(c.machine()[DeviceId{6}].index, 7);
  const auto report = c.check("GPU010");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings[0].text, "no GPU 6"));
}

TEST(GpuMissing, SevenOfABoardForEight) {
  EXPECT_EQ(gpus(7).check("GPU010").findings.at(0).severity, Severity::warning);
  EXPECT_TRUE(passed(gpus(8).check("GPU010"), "GPU010"));
  EXPECT_TRUE(passed(gpus(7, "NVIDIA L40S").check("GPU010"), "GPU010"));
  Case container = gpus(7);
  container.machine().host.container.claim("docker", container.t.sysfs());
  EXPECT_TRUE(unknown(container.check("GPU010"), "GPU010"));
}

TEST(Ecc, UncorrectableNowIsAnErrorOldOnesANote) {
  Case c = gpus(1);
  EXPECT_TRUE(unknown(c.check("GPU011"), "GPU011"));
  first(c).ecc_errors["volatile_dram_uncorrectable"].value.claim(2, c.t.sysfs());
  EXPECT_EQ(c.check("GPU011").findings.at(0).severity, Severity::error);
  Case old = gpus(1);
  first(old).ecc_errors["volatile_dram_uncorrectable"].value.claim(0, old.t.sysfs());
  first(old).ecc_errors["aggregate_dram_uncorrectable"].value.claim(2, old.t.sysfs());
  EXPECT_EQ(old.check("GPU011").findings.at(0).severity, Severity::note);
  Case fine = gpus(1);
  first(fine).ecc_errors["volatile_dram_uncorrectable"].value.claim(0, fine.t.sysfs());
  first(fine).ecc_errors["volatile_dram_correctable"].value.claim(9, fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("GPU011"), "GPU011"));
}

TEST(Ecc, OffOnADataCentreGpuOnly) {
  Case c = gpus(1);
  EXPECT_TRUE(unknown(c.check("GPU012"), "GPU012"));
  first(c).ecc_enabled.claim(false, c.t.sysfs());
  EXPECT_TRUE(said(c.check("GPU012"), "GPU012"));
  c.set(first(c).ecc_enabled, true);
  EXPECT_TRUE(passed(c.check("GPU012"), "GPU012"));
  Case desk = gpus(1, "NVIDIA GeForce RTX 4090");
  first(desk).ecc_enabled.claim(false, desk.t.sysfs());
  EXPECT_TRUE(desk.check("GPU012").findings.empty());
}

TEST(Throttled, HardwareAndHeatButNotThePowerCap) {
  Case c = gpus(1);
  EXPECT_TRUE(unknown(c.check("GPU013"), "GPU013"));
  first(c).throttle_reasons.claim({"hw_power_brake_slowdown"}, c.t.sysfs());
  EXPECT_TRUE(said(c.check("GPU013"), "GPU013"));
  c.set(first(c).throttle_reasons, std::vector<std::string>{"sw_power_cap"});
  EXPECT_TRUE(passed(c.check("GPU013"), "GPU013"));
  c.set(first(c).throttle_reasons, std::vector<std::string>{"gpu_idle"});
  EXPECT_TRUE(passed(c.check("GPU013"), "GPU013"));
}

Case clocks(int now, int load) {
  Case c = gpus(1);
  first(c).sm_clock_mhz.claim(now, c.t.sysfs());
  first(c).sm_clock_max_mhz.claim(1980, c.t.sysfs());
  first(c).utilization_percent.claim(load, c.t.sysfs());
  return c;
}

TEST(ClocksCapped, OnlyOfAGpuAtWork) {
  EXPECT_TRUE(said(clocks(1005, 100).check("GPU014"), "GPU014"));
  EXPECT_TRUE(passed(clocks(345, 0).check("GPU014"), "GPU014"));
  EXPECT_TRUE(passed(clocks(1755, 100).check("GPU014"), "GPU014"));
  Case capped = clocks(1005, 100);
  first(capped).throttle_reasons.claim({"sw_power_cap"}, capped.t.sysfs());
  EXPECT_TRUE(passed(capped.check("GPU014"), "GPU014"));
  EXPECT_TRUE(unknown(gpus(1).check("GPU014"), "GPU014"));
}

TEST(Modes, PersistenceAndMigAreNotes) {
  Case c = gpus(2);
  EXPECT_TRUE(unknown(c.check("GPU015"), "GPU015"));
  first(c).persistence_mode.claim(false, c.t.sysfs());
  first(c).mig_enabled.claim(true, c.t.sysfs());
  EXPECT_EQ(c.check("GPU015").findings.at(0).severity, Severity::note);
  EXPECT_EQ(c.check("GPU016").findings.at(0).severity, Severity::note);
  c.machine().host.services["nvidia-persistenced"].claim("running", c.t.sysfs());
  EXPECT_TRUE(passed(c.check("GPU015"), "GPU015"));
  Case fine = gpus(1);
  first(fine).persistence_mode.claim(true, fine.t.sysfs());
  first(fine).mig_enabled.claim(false, fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("GPU015"), "GPU015"));
  EXPECT_TRUE(passed(fine.check("GPU016"), "GPU016"));
}

TEST(Amd, WhatOnlyNvidiasToolsAnswerIsNotAsked) {
  Case c = gpus(2, "AMD Instinct MI300X");
  c.t.cell({0}, {1}, "PHB");
  const auto report = c.check({"GPU009", "GPU011", "GPU012", "GPU015", "NVL015"});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.not_checked.empty());
}

TEST(Mixed, ProductsAndVbiosAreNotes) {
  Case c = gpus(2);
  EXPECT_TRUE(passed(c.check("GPU017"), "GPU017"));
  EXPECT_TRUE(unknown(c.check("GPU018"), "GPU018"));
  c.machine()[DeviceId{0}].gpu->vbios.claim("96.00.01", c.t.sysfs());
  c.machine()[DeviceId{1}].gpu->vbios.claim("96.00.02", c.t.sysfs());
  EXPECT_EQ(c.check("GPU018").findings.at(0).severity, Severity::note);
  c.t.gpu({}, "NVIDIA T400");
  EXPECT_EQ(c.check("GPU017").findings.at(0).severity, Severity::note);
  EXPECT_TRUE(c.check("GPU018").findings.empty());
}

TEST(Hot, ChipAndMemory) {
  Case c = gpus(1);
  EXPECT_TRUE(unknown(c.check("GPU019"), "GPU019"));
  first(c).temperature_celsius.claim(60, c.t.sysfs());
  EXPECT_TRUE(passed(c.check("GPU019"), "GPU019"));
  first(c).memory_temperature_celsius.claim(101, c.t.sysfs());
  const auto report = c.check("GPU019");
  ASSERT_TRUE(said(report, "GPU019"));
  EXPECT_TRUE(contains(report.findings[0].text, "memory is at 101"));
}

}  // namespace
}  // namespace railgauge::judge
