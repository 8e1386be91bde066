// One test case a rule, for systems that read JUnit's XML. A failure is a finding at or above
// --fail-on, so that the file and the exit status say the same; others stand in system-out. What
// could not be judged is skipped, with the reason.
#include <fmt/format.h>

#include <map>

#include "base/strings.h"
#include "present/check.h"
#include "present/svg/canvas.h"  // escaped()
#include "present/words.h"

namespace railgauge::present {
namespace {

struct Case {
  std::vector<const model::Finding*> findings;
  const model::NotChecked* unknown = nullptr;
  bool applicable = true;
};

std::string body(const model::Finding& finding) {
  std::string out;
  const auto line = [&](std::string_view label, const std::string& words) {
    if (!words.empty()) out += escaped(fmt::format("{}{}", label, words)) + "\n";
  };
  const std::string node = finding.node.empty() ? "" : finding.node + " ";
  line(std::string(text(finding.severity)) + " ", node + finding.subject + ": " + finding.text);
  for (const model::Evidence& one : finding.evidence)
    line("seen: ", evidence_words(one) + (one.source.empty() ? "" : " [" + one.source + "]"));
  line("costs: ", impact_words(finding));
  for (const model::RemedyStep& step : finding.remedy)
    line("do: ", step.text + (step.command.empty() ? "" : " $ " + step.command));
  for (const model::Finding& one : finding.consequences)
    line("hence: ", one.id + " " + one.subject + ": " + one.text);
  return out;
}

std::map<std::string, Case> cases_of(const model::CheckReport& report) {
  std::map<std::string, Case> out;
  for (const std::string& id : report.passed) out[id];
  for (const std::string& id : report.not_applicable) out[id].applicable = false;
  for (const model::NotChecked& one : report.not_checked)
    if (out[one.id].unknown == nullptr) out[one.id].unknown = &one;
  for (const model::Finding& finding : report.findings)
    out[finding.id].findings.push_back(&finding);
  return out;
}

bool fails(const Case& one, const CheckView& view) {
  const auto least = model::parse_severity(view.fail_on);
  for (const model::Finding* finding : one.findings)
    if (least && finding->severity >= *least) return true;
  return false;
}

std::string skipped(const model::NotChecked& one) {
  std::string why = "not checked: needs " + one.needs;
  if (!one.command.empty()) why += ", from " + one.command;
  return fmt::format("<skipped message=\"{}\"/>", escaped(why));
}

std::string inside(const Case& one, const CheckView& view) {
  std::string said;
  for (const model::Finding* finding : one.findings) said += body(*finding);
  if (fails(one, view)) {
    const model::Finding& first = *one.findings.front();
    return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", text(first.severity),
                       escaped(first.subject + ": " + first.text), said);
  }
  if (!said.empty()) return "<system-out>" + said + "</system-out>";
  if (one.unknown != nullptr) return skipped(*one.unknown);
  return one.applicable ? "" : "<skipped message=\"not applicable here\"/>";
}

}  // namespace

std::string check_junit(const CheckView& view) {
  std::map<std::string, std::string> names;
  for (const RuleText& rule : view.rules) names[rule.id] = rule.name;
  std::string list;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skips = 0;
  for (const auto& [id, one] : cases_of(view.report)) {
    const std::string inner = inside(one, view);
    ++tests;
    failures += inner.starts_with("<failure") ? 1 : 0;
    skips += inner.starts_with("<skipped") ? 1 : 0;
    list += fmt::format("    <testcase classname=\"railgauge.{}\" name=\"{} {}\" time=\"0\"",
                        escaped(id.substr(0, 3)), escaped(id), escaped(names[id]));
    list += inner.empty() ? "/>\n" : ">" + inner + "</testcase>\n";
  }
  const std::string figures = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"", tests, failures, skips);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite "
      "name=\"railgauge check {1}\" {0}>\n{2}  </testsuite>\n</testsuites>\n",
      figures, escaped(view.name), list);
}

}  // namespace railgauge::present
