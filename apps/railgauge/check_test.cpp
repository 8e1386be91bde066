#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/railgauge/check_config.h"
#include "apps/railgauge/check_fleet.h"

namespace railgauge::app {
namespace {

using model::CheckReport;
using model::Finding;
using model::Severity;
using testing::ElementsAre;

CheckReport failing(const std::vector<std::string>& ids) {
  CheckReport out;
  for (const std::string& id : ids) {
    Finding finding;
    finding.id = id;
    finding.severity = Severity::error;
    finding.weight = 50;
    out.findings.push_back(finding);
  }
  return out;
}

TEST(CheckConfig, SuppressionsWithAllTheirParts) {
  const auto read = parse_config(
      "suppressions:\n- id: pcie-link-narrow\n  subject: gpu2*\n  reason: ordered\n  until: "
      "2027-02-28\n",
      "railgauge.yaml");
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front().subject, "gpu2*");
  EXPECT_EQ(read->front().until, "2027-02-28");
}

TEST(CheckConfig, AnEmptyFileIsNone) {
  EXPECT_TRUE(parse_config("", "a.yaml")->empty());
  EXPECT_TRUE(parse_config("# nothing yet\n", "a.yaml")->empty());
}

TEST(CheckConfig, MistakesNameTheirLine) {
  const auto wrong = [](const std::string& text) {
    return parse_config(text, "a.yaml").error().text();
  };
  EXPECT_THAT(wrong("suppressions:\n- {id: PCI012, reason: x, until: soon}\n"),
              testing::StartsWith("a.yaml:2: until takes a day"));
  EXPECT_THAT(wrong("suppression: []\n"), testing::StartsWith("a.yaml:1:"));
  EXPECT_THAT(wrong("suppressions:\n\n- {id: PCI998, reason: x, until: 2027-01-01}\n"),
              testing::StartsWith("a.yaml:3:"));
}

TEST(CheckFleet, TheMachineThatFailsOtherwiseIsOdd) {
  CheckGatherer gatherer;
  gatherer.add("a", "", failing({"OSL001"}));
  gatherer.add("b", "", failing({"OSL001", "PCI012"}));
  gatherer.add("c", "", failing({"OSL001"}));
  const GatheredCheck all = gatherer.finish();
  EXPECT_FALSE(all.nodes[0].odd);
  EXPECT_TRUE(all.nodes[1].odd);
  ASSERT_EQ(all.rule_counts.size(), 2u);
  EXPECT_EQ(all.rule_counts[0].id, "PCI012");  // the rarest
  EXPECT_THAT(all.rule_counts[0].nodes, ElementsAre("b"));
  EXPECT_THAT(all.rule_counts[1].nodes, ElementsAre("a", "b", "c"));
  EXPECT_EQ(all.report.findings[0].node, "a");
}

TEST(CheckFleet, WithoutAMajorityNobodyIsOdd) {
  CheckGatherer gatherer;
  gatherer.add("a", "", failing({"OSL001"}));
  gatherer.add("b", "", failing({"PCI012"}));
  const GatheredCheck all = gatherer.finish();
  EXPECT_FALSE(all.nodes[0].odd || all.nodes[1].odd);
}

TEST(CheckFleet, ARulePassesWhereItFailsNowhereAndIsOpenNowhere) {
  CheckGatherer gatherer;
  CheckReport good;
  good.passed = {"OSL001", "PCI012", "GPU001"};
  good.not_applicable = {"NVL001"};
  gatherer.add("a", "", good);
  CheckReport other = failing({"PCI012"});
  other.not_checked = {{"GPU001", "x", "gpu3", "the kernel log", "dmesg"}};
  other.not_applicable = {"OSL001", "NVL001"};
  gatherer.add("b", "", other);
  const GatheredCheck all = gatherer.finish();
  EXPECT_THAT(all.report.passed, ElementsAre("OSL001"));
  EXPECT_THAT(all.report.not_applicable, ElementsAre("NVL001"));
}

TEST(CheckFleet, OfOneMachineNoNodeIsNamed) {
  CheckGatherer gatherer;
  gatherer.add("a", "", failing({"PCI012"}));
  EXPECT_EQ(gatherer.finish().report.findings[0].node, "");
}

}  // namespace
}  // namespace railgauge::app
