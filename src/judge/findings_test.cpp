#include "judge/findings.h"

#include <gtest/gtest.h>

#include <set>

#include "judge/rule.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(AllRules, EveryIdAndNameIsGivenOnceAndEveryPageIsFilled) {
  static constexpr std::string_view categories[] = {"PCI", "NVL", "NUM", "NET", "RDM", "NCC",
                                                    "ENV", "GPU", "OSL", "CFG", "PLN"};
  std::set<std::string_view> seen;
  for (const Rule* rule : all_rules()) {
    EXPECT_TRUE(seen.insert(rule->id).second) << rule->id;
    EXPECT_TRUE(seen.insert(rule->name).second) << rule->name;
    EXPECT_EQ(rule->id.size(), 6U) << rule->id;
    EXPECT_NE(std::find(std::begin(categories), std::end(categories), rule->id.substr(0, 3)),
              std::end(categories))
        << rule->id;
    EXPECT_NE(rule->look, nullptr) << rule->id;
    EXPECT_GT(rule->needs.size(), 0U) << rule->id << ": a rule without needs passes on nothing";
    EXPECT_GT(rule->page.what.size(), 20U) << rule->id;
    EXPECT_GT(rule->page.why.size(), 20U) << rule->id;
    EXPECT_GT(rule->page.by_hand.size(), 10U) << rule->id;
    EXPECT_GT(rule->page.remedy.size(), 10U) << rule->id;
    EXPECT_GT(rule->page.benign_if.size(), 10U) << rule->id;
  }
}

TEST(AllRules, WhatRulesExplainHasNoCycle) {
  std::set<std::string_view> done;
  for (bool again = true; again;) {  // takes away rules that explain nothing that is left
    again = false;
    for (const Rule* rule : all_rules()) {
      if (done.contains(rule->id)) continue;
      const bool leaf =
          std::all_of(rule->explains.begin(), rule->explains.end(), [&](const Explains& row) {
            return find_rule(row.consequence) == nullptr || done.contains(row.consequence);
          });
      if (leaf) again |= done.insert(rule->id).second;
    }
  }
  EXPECT_EQ(done.size(), all_rules().size());
}

struct Case {
  Machine machine;
  Catalogue catalogue;
  Advice advice;
  Patient patient() const { return {.machine = machine, .catalogue = catalogue, .advice = advice}; }
};

Case with_link(int width, int possible) {
  Case out;
  const SourceRef here = out.machine.sources.add("lspci.txt", Trust::tool);
  const DeviceId root = out.machine.add(DeviceKind::root_port, here);
  const DeviceId gpu = out.machine.add(DeviceKind::gpu, here);
  out.machine[gpu].id = "gpu2";
  out.machine[gpu].parent = root;
  out.machine[gpu].pci.emplace().link.current_width.claim(width, here);
  Link& link = out.machine.links.emplace_back(Link{.a = gpu, .b = root, .kind = LinkKind::pcie});
  link.width.claim(width, here.at_line(7));
  link.width_possible.claim(possible, here);
  return out;
}

TEST(Findings, AFailureIsCompletedFromItsRule) {
  const Case one = with_link(8, 16);
  const CheckReport report = findings(one.patient(), {.only = {"PCI012"}});
  ASSERT_EQ(report.findings.size(), 1U);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "PCI012");
  EXPECT_EQ(finding.subject, "gpu2");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.evidence[0].source, "lspci.txt:7");
  EXPECT_EQ(finding.fingerprint.size(), 16U);
}

TEST(Findings, AMissingNeedIsNotCheckedAndNeverAPass) {
  const Case nothing;
  const CheckReport report = findings(nothing.patient(), {.only = {"pcie-link-narrow"}});
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.passed.empty());
  ASSERT_EQ(report.not_checked.size(), 1U);
  EXPECT_EQ(report.not_checked[0].command, "sudo lspci -vvv");
}

TEST(Findings, AGuestsLinkIsUnknownUnlessItIsTrusted) {
  Case guest = with_link(8, 16);
  guest.machine.host.hypervisor.claim("kvm", guest.machine.sources.add("sys", Trust::kernel));
  EXPECT_TRUE(findings(guest.patient(), {.only = {"PCI012"}}).findings.empty());
  Patient trusting{.machine = guest.machine,
                   .catalogue = guest.catalogue,
                   .advice = guest.advice,
                   .trust_virtual_links = true};
  EXPECT_EQ(findings(trusting, {.only = {"PCI012"}}).findings.size(), 1U);
}

TEST(Findings, SuppressionHoldsUntilItsDateAndThenSaysThatItEnded) {
  const Case one = with_link(8, 16);
  Selection selection{.only = {"PCI"}, .today = "2026-11-29"};
  selection.suppressions = {{"PCI012", "gpu*", "slot is x8", "2026-12-31"}};
  EXPECT_TRUE(findings(one.patient(), selection).findings.empty());
  EXPECT_EQ(findings(one.patient(), selection).suppressed.size(), 1U);
  selection.suppressions[0].subject = "mlx5*";
  EXPECT_EQ(findings(one.patient(), selection).findings.size(), 1U);
  selection.suppressions[0] = {"PCI012", "", "slot is x8", "2026-11-01"};
  EXPECT_EQ(findings(one.patient(), selection).findings.size(), 1U);
  EXPECT_EQ(findings(one.patient(), selection).warnings.size(), 1U);
}

TEST(Selection, AWordThatNamesNoRuleIsGivenBack) {
  EXPECT_EQ(unknown_rules({.only = {"PCI", "PCI999"}}), std::vector<std::string>{"PCI999"});
}

}  // namespace
}  // namespace railgauge::judge
