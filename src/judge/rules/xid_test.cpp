#include "judge/rules/xid_episodes.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

Case with_advice() {
  Case c;
  c.advice.xids = {
      {13, "Engine exception", "RESTART_APP", "application", true, "", "test"},
      {31, "Page fault", "RESTART_APP", "application", true, "", "test"},
      {43, "Stopped", "IGNORE", "application", true, "", "test"},
      {45, "Channel removed", "WORKFLOW_XID_45", "application", true, "", "test"},
      {62, "Micro-controller halt", "RESET_GPU", "hardware", false, "", "test"},
      {79, "Fallen off the bus", "RESTART_BM", "link", false, "", "test"},
      {92, "Single-bit errors", "IGNORE", "hardware", false, "", "test"},
      {95, "Uncontained memory error", "RESET_GPU", "hardware", false, "", "test"},
      {119, "GSP does not answer", "RESET_GPU", "driver", false, "", "test"},
  };
  return c;
}

constexpr const char* gpu0 = "0000:01:00.0";
constexpr const char* gpu1 = "0000:02:00.0";

TEST(XidEpisodes, TheFirstIsTheCauseAndTheRestFollowsFromIt) {
  Case c = with_advice();
  c.xid(31, gpu0);
  c.xid(62, gpu0);
  c.xid(45, gpu0);
  const auto episodes = xid_episodes(c.machine());
  ASSERT_EQ(episodes.size(), 1U);
  EXPECT_EQ(episodes[0].code(), 31);
  EXPECT_EQ(episodes[0].followers.size(), 2U);
  const auto report = c.check({"GPU001", "GPU002", "GPU003", "GPU006", "GPU007", "GPU008"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "GPU007");
  EXPECT_TRUE(contains(report.findings[0].text, "Xid 45, 62 followed"));
}

TEST(XidEpisodes, AProgramsFaultIsNoCauseOfBrokenHardware) {
  Case c = with_advice();
  c.xid(13, gpu0);
  c.xid(79, gpu0);
  EXPECT_EQ(xid_episodes(c.machine()).size(), 2U);
  EXPECT_EQ(c.check({"GPU001", "GPU007"}).findings.at(0).id, "GPU001");
}

TEST(XidEpisodes, AnHourLaterIsAnotherStory) {
  Case c = with_advice();
  c.xid(62, gpu0).uptime_seconds = 100;
  c.xid(45, gpu0).uptime_seconds = 130;
  c.xid(45, gpu0).uptime_seconds = 4000;
  const auto episodes = xid_episodes(c.machine());
  ASSERT_EQ(episodes.size(), 2U);
  EXPECT_EQ(episodes[0].followers.size(), 1U);
  EXPECT_EQ(episodes[1].code(), 45);
}

TEST(XidEpisodes, OfMemoryErrorsTheGravestIsTheCause) {
  Case c = with_advice();
  c.xid(63, gpu0);
  c.xid(64, gpu0);
  c.xid(95, gpu0);
  const auto episodes = xid_episodes(c.machine());
  ASSERT_EQ(episodes.size(), 1U);
  EXPECT_EQ(episodes[0].code(), 64);
  const auto report = c.check({"GPU003", "GPU004", "GPU005"});
  ASSERT_EQ(report.findings.size(), 1U) << "63 and 64 of one event are one fault";
  EXPECT_EQ(report.findings[0].id, "GPU004");
}

TEST(XidEpisodes, GpusDoNotMix) {
  Case c = with_advice();
  c.xid(31, gpu0);
  c.xid(45, gpu1);
  EXPECT_EQ(xid_episodes(c.machine()).size(), 2U);
}

TEST(XidEpisodes, RepetitionsAreOneFindingWithACount) {
  Case c = with_advice();
  for (int i = 0; i < 5; ++i) c.xid(13, gpu0).uptime_seconds = i * 1000.0;
  const auto report = c.check("GPU007");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(contains(report.findings[0].text, "5 times"));
}

TEST(GpuOffTheBus, XidAndTheDriversWords) {
  Case c = with_advice();
  c.xid(79, gpu0);
  const auto report = c.check("GPU001");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].weight, 100);
  Case words;
  words.event(EventKind::gpu_driver, EventSeverity::fatal, "NVRM: GPU is lost").device =
      PciAddress::parse(gpu0);
  EXPECT_TRUE(said(words.check("GPU001"), "GPU001"));
  Case quiet;
  quiet.quiet_log();
  EXPECT_TRUE(passed(quiet.check("GPU001"), "GPU001"));
}

TEST(GpuOffTheBus, PeersThatLoseTheirNvlinkAreConsequences) {
  Case c = with_advice();
  c.xid(79, gpu0);
  c.xid(74, gpu1);
  const auto report = c.check({"GPU001", "GPU006"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].consequences.size(), 1U);
}

TEST(GspTimeout, ARecommendationToResetAndThenToReturn) {
  Case c = with_advice();
  c.xid(119, gpu0).process = "nvidia-smi";
  const auto report = c.check("GPU002");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(contains(report.findings[0].remedy.at(0).command, "--gpu-reset -i 0000:01:00.0"));
  Case quiet;
  quiet.quiet_log();
  EXPECT_TRUE(passed(quiet.check("GPU002"), "GPU002"));
}

TEST(GpuMemory, ContainedIsAWarningUncontainedAnError) {
  Case c = with_advice();
  c.xid(94, gpu0);
  c.xid(95, gpu1);
  const auto report = c.check("GPU003");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_EQ(report.findings[1].severity, Severity::warning);
  Case quiet;
  quiet.quiet_log();
  EXPECT_TRUE(passed(quiet.check("GPU003"), "GPU003"));
}

TEST(RowRemap, TheFlagsSayTheSameAsTheXids) {
  Case c;
  const DeviceId gpu = c.t.gpu({});
  c.machine()[gpu].gpu->remapping_failed.claim(true, c.t.sysfs());
  c.machine()[gpu].gpu->remapping_pending.claim(true, c.t.sysfs());
  const auto report = c.check({"GPU004", "GPU005"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "GPU004");
  EXPECT_EQ(report.findings[0].consequences.size(), 1U);
}

TEST(RowRemap, AResetSinceTheXidIsKnownByTheFlag) {
  Case c = with_advice();
  c.xid(63, gpu0);
  EXPECT_TRUE(said(c.check("GPU005"), "GPU005"));
  c.machine()[*c.machine().at(*PciAddress::parse(gpu0))].gpu->remapping_pending.claim(false,
                                                                                      c.t.sysfs());
  EXPECT_TRUE(passed(c.check("GPU005"), "GPU005"));
}

TEST(RowRemap, WithoutFlagsAndLogItIsUnknown) {
  Case c;
  c.t.gpu({});
  EXPECT_TRUE(unknown(c.check("GPU004"), "GPU004"));
  EXPECT_TRUE(unknown(c.check("GPU005"), "GPU005"));
}

TEST(XidNvlink, UnitLinkAndSeverityOfBlackwell) {
  Case c = with_advice();
  Event& event = c.xid(145, gpu0);
  event.severity = EventSeverity::nonfatal;
  event.layer = "RLW_REMAP";
  event.link = 7;
  const auto report = c.check("GPU006");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings[0].text, "unit RLW_REMAP, link 7, non-fatal"));
  Case fatal = with_advice();
  fatal.xid(149, gpu0).severity = EventSeverity::fatal;
  EXPECT_EQ(fatal.check("GPU006").findings.at(0).severity, Severity::error);
}

TEST(XidApplication, StoppedProgramsAreANote) {
  Case c = with_advice();
  c.xid(45, gpu0);
  EXPECT_EQ(c.check("GPU007").findings.at(0).severity, Severity::note);
  Case fault = with_advice();
  fault.xid(13, gpu0).process = "python3";
  const auto report = fault.check("GPU007");
  EXPECT_EQ(report.findings.at(0).severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings.at(0).text, "python3"));
}

TEST(XidOther, TheCataloguesActionDecides) {
  Case c = with_advice();
  c.xid(62, gpu0);
  EXPECT_EQ(c.check("GPU008").findings.at(0).severity, Severity::error);
  Case ignored = with_advice();
  ignored.xid(92, gpu0);
  EXPECT_EQ(ignored.check("GPU008").findings.at(0).severity, Severity::note);
  Case fresh = with_advice();
  fresh.xid(999, gpu0);
  EXPECT_EQ(fresh.check("GPU008").findings.at(0).severity, Severity::warning);
  EXPECT_TRUE(contains(fresh.check("GPU008").findings.at(0).text, "newer than our table"));
}

TEST(GpuDriverFault, AGpuThatDidNotStartOrHung) {
  Case c;
  c.event(EventKind::gpu_driver, EventSeverity::fatal,
          "NVRM: GPU 0000:9b:00.0: RmInitAdapter failed! (0x62:0x40:2393)")
      .device = PciAddress::parse("0000:9b:00.0");
  const auto report = c.check("GPU020");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(contains(report.findings[0].text, "could not start it"));
  Case amd;
  amd.event(EventKind::gpu_driver, EventSeverity::nonfatal,
            "amdgpu: ring gfx timeout, signaled seq=3");
  EXPECT_EQ(amd.check("GPU020").findings.at(0).severity, Severity::warning);
  Case corrected;
  corrected.event(EventKind::gpu_driver, EventSeverity::corrected,
                  "amdgpu: 3 correctable hardware errors detected in umc block");
  corrected.event(EventKind::gpu_driver, EventSeverity::fatal, "NVRM: GPU is lost");
  EXPECT_TRUE(passed(corrected.check("GPU020"), "GPU020"));
}

TEST(Xids, PeerMemoryMessagesAreNoneOfThem) {
  Case c = with_advice();
  c.event(EventKind::peer_memory, EventSeverity::information,
          "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context");
  EXPECT_TRUE(c.check({"PCI", "NVL", "GPU"}).findings.empty());
}

}  // namespace
}  // namespace railgauge::judge
