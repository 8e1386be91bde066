#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/testing.h"
#include "present/check.h"

namespace railgauge::present {
namespace {

using model::CheckReport;
using model::Finding;
using model::Severity;
using testing::HasSubstr;
using testing::Not;

Finding narrow(const std::string& subject, const std::string& text) {
  Finding out;
  out.id = "PCI012";
  out.name = "pcie-link-narrow";
  out.severity = Severity::error;
  out.subject = subject;
  out.text = text;
  out.evidence = {{"link width", "x8", "x16", "lspci.txt:41"}};
  out.impact.text = "host copies halve";
  out.remedy = {{"reseat the card", "lspci -vv", true, true, model::Risk::interrupts, ""}};
  out.benign_if = "the slot has no more lanes";
  return out;
}

std::string shown(const CheckReport& report, bool verbose = false) {
  Style style;
  style.verbose = verbose;
  const std::vector<RuleText> rules;
  return text_check({rules, report}, style);
}

TEST(CheckText, AFindingSaysWhatWhereCostAndRemedy) {
  CheckReport report;
  report.findings = {narrow("gpu2", "runs x8 of x16")};
  EXPECT_EQ(shown(report),
            "error   PCI012 pcie-link-narrow          gpu2\n"
            "        runs x8 of x16\n"
            "        seen   link width: x8, expected x16 [lspci.txt:41]\n"
            "        costs  host copies halve\n"
            "        do     reseat the card (as root, reboot, ends running jobs)\n"
            "               $ lspci -vv\n"
            "        benign the slot has no more lanes\n"
            "\n"
            "1 error; 0 rules passed, 0 not applicable, 0 not checked\n");
}

TEST(CheckText, TheSameWordsOfSeveralSubjectsAreSaidOnce) {
  CheckReport report;
  for (int i = 0; i < 8; ++i)
    report.findings.push_back(narrow("gpu" + std::to_string(i), "runs x8 of x16"));
  const std::string text = shown(report);
  EXPECT_THAT(text, HasSubstr("gpu0, gpu1, gpu2, gpu3 and 4 more"));
  EXPECT_EQ(text.find("runs x8"), text.rfind("runs x8"));
  EXPECT_THAT(text, HasSubstr("8 errors;"));
}

TEST(CheckText, ManyFindingsOfARuleAreCountedBeyondTheThird) {
  CheckReport report;
  for (int i = 0; i < 8; ++i)
    report.findings.push_back(narrow("gpu" + std::to_string(i), "text " + std::to_string(i)));
  EXPECT_THAT(shown(report), HasSubstr("and 5 more of PCI012"));
  EXPECT_THAT(shown(report), Not(HasSubstr("text 7")));
  EXPECT_THAT(shown(report, true), HasSubstr("text 7"));
}

TEST(CheckText, WhatFollowsStandsUnderTheCause) {
  CheckReport report;
  Finding cause = narrow("gpu2", "runs x8 of x16");
  Finding effect;
  effect.id = "NCC204";
  effect.name = "likely-no-gpudirect";
  effect.subject = "all_reduce";
  effect.text = "20 of 40 GB/s";
  cause.consequences = {effect};
  report.findings = {cause};
  EXPECT_THAT(shown(report),
              HasSubstr("hence  NCC204 likely-no-gpudirect all_reduce: 20 of 40 GB/s"));
  EXPECT_THAT(shown(report), HasSubstr("1 error;"));
}

TEST(CheckText, ANoteIsBrief) {
  CheckReport report;
  Finding note = narrow("gpu2", "runs x8");
  note.severity = Severity::note;
  report.findings = {note};
  EXPECT_THAT(shown(report), Not(HasSubstr("benign")));
  EXPECT_THAT(shown(report), HasSubstr("do     reseat the card"));
}

TEST(CheckText, WhatIsNotCheckedIsGroupedByWhatWouldGiveIt) {
  CheckReport report;
  for (const char* id : {"PCI008", "PCI009", "PCI010"})
    report.not_checked.push_back({id, "a", "", "configuration space", "sudo lspci -vvv"});
  report.not_checked.push_back({"GPU001", "b", "gpu0", "the kernel log", "sudo dmesg"});
  report.not_checked.push_back({"GPU001", "b", "gpu1", "the kernel log", "sudo dmesg"});
  const auto missing = missing_facts(report);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].command, "sudo lspci -vvv");
  EXPECT_THAT(missing[0].ids, testing::ElementsAre("PCI008", "PCI009", "PCI010"));
  EXPECT_THAT(missing[1].ids, testing::ElementsAre("GPU001"));
  EXPECT_THAT(shown(report), HasSubstr("3 rules: configuration space"));
  EXPECT_THAT(shown(report), HasSubstr("nothing found; 0 rules passed, 0 not applicable, 4 not"));
}

TEST(CheckText, ForeignBytesStayInTheirLine) {
  CheckReport report;
  report.findings = {narrow("gpu\x1b[31m2\n", "runs\nx8\xff")};
  const std::string text = shown(report);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_THAT(text, HasSubstr("runs x8\xef\xbf\xbd\n"));
}

TEST(CheckJunit, AFailureIsWhatFailOnSays) {
  CheckReport report;
  report.findings = {narrow("gpu2", "a < b")};
  report.passed = {"PCI001"};
  report.not_checked = {{"GPU001", "b", "", "the kernel log", "sudo dmesg"}};
  const std::vector<RuleText> rules;
  CheckView view{rules, report};
  EXPECT_THAT(check_junit(view),
              HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(check_junit(view), HasSubstr("message=\"gpu2: a &lt; b\""));
  view.fail_on = "never";
  EXPECT_THAT(check_junit(view), HasSubstr("failures=\"0\""));
}

TEST(RuleText, APageAsMarkdownHasItsPartsAndNoEmptyOnes) {
  RuleText rule;
  rule.id = "PCI012";
  rule.name = "pcie-link-narrow";
  rule.what = "A link is narrow.";
  rule.by_hand = "lspci -vvv";
  EXPECT_EQ(markdown_rule(rule),
            "# PCI012 pcie-link-narrow\n\nSeverity: warning\n\nA link is narrow.\n\n"
            "## See it by hand\n```\nlspci -vvv\n```\n");
}

TEST(CheckHtml, ThePictureMarksDeviceAndLink) {
  model::TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0, t.package()));
  const auto gpu = t.gpu(t.root_port(bridge));
  t.trained(gpu, 5, 8);
  t.settle();
  CheckReport report;
  report.findings = {narrow("gpu0", "runs <b>x8</b>")};
  report.findings[0].devices = {gpu};
  const std::vector<RuleText> rules;
  CheckView view{rules, report};
  view.machine = &t.machine;
  const std::string page = check_html(view);
  EXPECT_THAT(page, HasSubstr("<a class=\"mark error\" id=\"mark-0\" href=\"#finding-0\""));
  EXPECT_THAT(page, HasSubstr("class=\"mark-link\""));
  EXPECT_THAT(page, HasSubstr("id=\"finding-0\""));
  EXPECT_THAT(page, Not(HasSubstr("<b>x8")));
}

}  // namespace
}  // namespace railgauge::present
