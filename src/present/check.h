// What `check` and `explain` show: findings of one machine or of many, and the pages of rules.
//   present::text_check({.rules = rules, .report = report, .machine = &machine}, style)
#pragma once

#include <string>
#include <vector>

#include "model/finding.h"
#include "model/machine.h"
#include "present/present.h"

namespace railgauge::present {

// What a rule says of itself; the page of `explain ID`.
struct RuleText {
  std::string id;
  std::string name;
  model::Severity severity = model::Severity::warning;
  std::string what;
  std::string why;
  std::string by_hand;
  std::string remedy;
  std::string benign_if;
  std::vector<std::string> references;
  std::vector<std::string> needs;  // the facts it needs, in words
};

// One of several machines that were checked together.
struct NodeCheck {
  std::string node;
  std::string input;  // what reads it again; may be empty
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  bool odd = false;  // fails otherwise than most do
};

// One rule over several machines.
struct RuleCount {
  std::string id;
  std::string name;
  model::Severity severity = model::Severity::warning;
  std::vector<std::string> nodes;  // where it failed
};

struct CheckView {
  const std::vector<RuleText>& rules;       // all that were asked for, by id
  const model::CheckReport& report;         // of several machines: all findings, each with its node
  const model::Machine* machine = nullptr;  // when it is one
  std::string name{};                       // of what was looked at
  std::vector<NodeCheck> nodes{};           // when there are several
  std::vector<RuleCount> rule_counts{};     // the rarest first
  std::string fail_on = "error";            // or "never"
  std::string tool_version{};

  bool several() const { return nodes.size() > 1; }
};

std::string text_check(const CheckView& view, const Style& style);
std::string summary_line(const model::CheckReport& report);
std::string check_json(const CheckView& view);  // result; keys as in schema/check.schema.json

std::string check_sarif(const CheckView& view);  // SARIF 2.1.0
std::string check_junit(const CheckView& view);  // JUnit XML, one test case a rule
std::string check_html(const CheckView& view);   // one file, no external request

std::string text_rule(const RuleText& rule, const Style& style);
std::string text_rules(const std::vector<RuleText>& rules, const Style& style);
std::string markdown_rule(const RuleText& rule);
std::string rules_json(const std::vector<RuleText>& rules);  // result of explain --list
std::string rule_json(const RuleText& rule);                 // result of explain ID

// Rules that wait for the same facts.
struct MissingFacts {
  std::string command;             // that gives them; may be empty
  std::vector<std::string> needs;  // in words, each once
  std::vector<std::string> ids;    // of rules, each once
};
// The command that would let most rules be checked comes first.
std::vector<MissingFacts> missing_facts(const model::CheckReport& report);

struct CheckCounts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t not_checked = 0;  // rules
};
CheckCounts counts_of(const model::CheckReport& report);

// "host copies halve (31.5 GB/s of 63 GB/s, 50 % lost)", without figures that the finding's text
// has; empty when nothing is known.
std::string impact_words(const model::Finding& finding);
// "link width: x8, expected x16"
std::string evidence_words(const model::Evidence& evidence);
// "as root, reboot, ends running jobs: the machine is powered off for it"; empty when harmless.
std::string caution_words(const model::RemedyStep& step);

}  // namespace railgauge::present
