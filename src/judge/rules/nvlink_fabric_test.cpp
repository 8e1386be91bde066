#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

Case fabric(const char* state, const char* status) {
  Case c;
  const DeviceId gpu = c.t.gpu({});
  c.machine()[gpu].gpu->fabric_state.claim(state, c.t.sysfs());
  if (status != nullptr) c.machine()[gpu].gpu->fabric_status.claim(status, c.t.sysfs());
  return c;
}

TEST(FabricIncomplete, AllButCompletedWithSuccess) {
  EXPECT_TRUE(said(fabric("in_progress", nullptr).check("NVL007"), "NVL007"));
  EXPECT_TRUE(said(fabric("not_started", nullptr).check("NVL007"), "NVL007"));
  const auto report = fabric("completed", "unknown_error").check("NVL007");
  ASSERT_TRUE(said(report, "NVL007"));
  EXPECT_TRUE(contains(report.findings[0].text, "unknown_error"));
  EXPECT_TRUE(passed(fabric("completed", "success").check("NVL007"), "NVL007"));
  EXPECT_TRUE(passed(fabric("completed", nullptr).check("NVL007"), "NVL007"));
  EXPECT_TRUE(fabric("not_supported", nullptr).check("NVL007").findings.empty());
}

TEST(FabricIncomplete, ExplainsNvlinkThatIsMissing) {
  Case c = fabric("in_progress", nullptr);
  c.t.gpu({});
  c.t.cell({0}, {1}, "SYS");
  const auto report = c.check({"NVL007", "NVL001"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "NVL007");
  EXPECT_EQ(report.findings[0].consequences.size(), 1U);
}

Case services(int gpus, std::vector<const char*> running) {
  Case c;
  for (int i = 0; i < gpus; ++i) c.t.gpu({});
  running.push_back("irqbalance");
  for (const char* name : running) c.machine().host.services[name].claim("running", c.t.sysfs());
  return c;
}

TEST(FabricManagerDown, OnBoardsWithSwitchesOnly) {
  EXPECT_EQ(services(8, {}).check("NVL008").findings.at(0).severity, Severity::error);
  EXPECT_TRUE(passed(services(8, {"nvidia-fabricmanager"}).check("NVL008"), "NVL008"));
  EXPECT_TRUE(services(4, {}).check("NVL008").findings.empty());
}

TEST(FabricManagerDown, AFabricThatStandsIsAWarningAGuestUnknown) {
  Case c = services(8, {});
  c.machine()[DeviceId{0}].gpu->fabric_state.claim("completed", c.t.sysfs());
  EXPECT_EQ(c.check("NVL008").findings.at(0).severity, Severity::warning);
  Case guest = services(8, {});
  guest.guest();
  EXPECT_TRUE(unknown(guest.check("NVL008"), "NVL008"));
}

TEST(FabricManagerVersion, MustBeTheDrivers) {
  Case c = services(8, {});
  c.machine().host.driver.claim("550.54.15", c.t.sysfs());
  EXPECT_TRUE(unknown(c.check("NVL009"), "NVL009"));
  c.machine().host.libraries["nvidia-fabricmanager"].claim("550.54.14", c.t.sysfs());
  EXPECT_TRUE(said(c.check("NVL009"), "NVL009"));
  c.set(c.machine().host.libraries["nvidia-fabricmanager"], std::string("550.54.15"));
  EXPECT_TRUE(passed(c.check("NVL009"), "NVL009"));
}

Case rack(std::vector<const char*> running) {
  Case c = services(0, std::move(running));
  GpuBoard gb200;
  gb200.name = "GB200";
  gb200.name_contains = "GB200";
  gb200.compute_capability = 100;
  gb200.nvlink_count = 18;
  c.catalogue.boards.push_back(gb200);
  c.t.gpu({}, "NVIDIA GB200");
  return c;
}

TEST(ImexNotReady, OnRacksOnly) {
  EXPECT_EQ(rack({}).check("NVL010").findings.at(0).severity, Severity::warning);
  EXPECT_TRUE(passed(rack({"nvidia-imex"}).check("NVL010"), "NVL010"));
  EXPECT_TRUE(services(8, {}).check("NVL010").findings.empty());
}

Case healthy(const char* key, const char* value) {
  Case c = fabric("completed", "success");
  c.machine()[DeviceId{0}].attributes.push_back({key, value, c.t.sysfs()});
  return c;
}

TEST(FabricDegraded, ByMaskAndByWord) {
  const auto report = healthy("fabric_health_mask", "0x11").check("NVL011");
  ASSERT_TRUE(said(report, "NVL011"));
  EXPECT_TRUE(contains(report.findings[0].text, "bandwidth degraded, a route is unhealthy"));
  EXPECT_TRUE(passed(healthy("fabric_health_mask", "0xaa").check("NVL011"), "NVL011"));
  EXPECT_TRUE(said(healthy("fabric_bandwidth", "Degraded").check("NVL011"), "NVL011"));
  EXPECT_TRUE(passed(healthy("fabric_bandwidth", "Full").check("NVL011"), "NVL011"));
}

Event& sxid(Case& c, int code, EventSeverity severity, int link) {
  Event& event = c.event(EventKind::sxid, severity, "SXid");
  event.code = code;
  event.link = link;
  event.device = PciAddress::parse("0000:c3:00.0");
  return event;
}

Advice some_sxids() {
  Advice out;
  out.sxids = {
      {20034, "A link went down", "RESET_GPU", "link", false, "fatal", "test"},
      {22013, "Link interrupt", "IGNORE", "link", false, "non-fatal", "test"},
      {20009, "Error rate", "CHECK_LINK_MECHANICAL_CONNECTIONS", "link", false, "fatal", "test"}};
  return out;
}

TEST(Sxid, TheKernelsWordDecidesAndTheTableWhereItHasNone) {
  Case c;
  c.advice = some_sxids();
  sxid(c, 20009, EventSeverity::nonfatal, 28);
  sxid(c, 22013, EventSeverity::nonfatal, 57);
  const auto report = c.check({"NVL012", "NVL013"});
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_EQ(report.findings[1].severity, Severity::note);
  EXPECT_TRUE(contains(report.findings[0].text, "link 28"));
  Case wordless;
  wordless.advice = some_sxids();
  sxid(wordless, 20034, EventSeverity::warning, 3);
  EXPECT_TRUE(said(wordless.check("NVL013"), "NVL013"));
}

TEST(Sxid, AFatalOneTakesTheGpusXidIn) {
  Case c;
  c.advice = some_sxids();
  sxid(c, 20034, EventSeverity::fatal, 30);
  c.xid(74, "0000:17:00.0");
  const auto report = c.check({"NVL013", "GPU006"});
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "NVL013");
}

TEST(Sxid, AQuietLogPasses) {
  Case c;
  c.quiet_log();
  EXPECT_EQ(c.check({"NVL012", "NVL013"}).passed.size(), 2U);
}

}  // namespace
}  // namespace railgauge::judge
