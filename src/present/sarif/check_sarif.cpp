// Findings as SARIF 2.1.0, for code scanning and dashboards. Hardware goes into logicalLocations;
// where the evidence is a line of a file, that line is the physical location. SARIF's `fix` wants
// changes of files, so remedies stand in the rule's help and in the message.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "present/check.h"
#include "present/json/values.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

constexpr const char* schema_address =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

Json driver_rule(const RuleText& rule) {
  const std::string remedy =
      rule.remedy + (rule.benign_if.empty() ? "" : "\n\nBenign if: " + rule.benign_if);
  Json out{{"id", rule.id},
           {"name", rule.name},
           {"shortDescription", {{"text", clean(rule.what)}}},
           {"fullDescription", {{"text", rule.why.empty() ? clean(rule.what) : rule.why}}},
           {"help", {{"text", remedy}, {"markdown", markdown_rule(rule)}}},
           {"defaultConfiguration", {{"level", text(rule.severity)}}},
           {"properties", {{"tags", {rule.id.substr(0, 3)}}}}};
  if (remedy.empty()) out.erase("help");
  return out;
}

// A path as a URI reference: what is not plain is written as %XX.
std::string uri_of(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

// "lspci.txt:41" and "sys/…/current_link_width" → their location; nothing for a call of a library
// or standard input.
std::optional<Json> physical(const std::string& source) {
  if (source.starts_with("standard input")) return std::nullopt;
  const auto colon = source.rfind(':');
  if (colon != std::string::npos && colon > 0) {
    const auto line = parse_int(std::string_view(source).substr(colon + 1));
    if (line && *line > 0)
      return Json{{"artifactLocation", {{"uri", uri_of(source.substr(0, colon))}}},
                  {"region", {{"startLine", *line}}}};
  }
  const bool file = contains(source, "/") && source.find_first_of(" (") == std::string::npos;
  if (!file) return std::nullopt;
  return Json{{"artifactLocation", {{"uri", uri_of(source)}}}};
}

Json location(const model::Finding& finding) {
  Json out;
  for (const model::Evidence& one : finding.evidence)
    if (auto place = physical(one.source)) {
      out["physicalLocation"] = std::move(*place);
      break;
    }
  const std::string subject = finding.subject.empty() ? "host" : clean(finding.subject);
  const std::string full = finding.node.empty() ? subject : clean(finding.node) + "/" + subject;
  out["logicalLocations"] = {
      {{"name", subject}, {"fullyQualifiedName", full}, {"kind", "resource"}}};
  return out;
}

std::string message(const model::Finding& finding) {
  std::vector<std::string> lines;
  const std::string subject = finding.subject.empty() ? "" : clean(finding.subject) + ": ";
  lines.push_back(subject + clean(finding.text));
  for (const model::Evidence& one : finding.evidence)
    lines.push_back("Seen: " + evidence_words(one) +
                    (one.source.empty() ? "" : " [" + clean(one.source) + "]"));
  if (const std::string costs = impact_words(finding); !costs.empty())
    lines.push_back("Costs: " + costs);
  for (const model::RemedyStep& step : finding.remedy)
    lines.push_back("Do: " + clean(step.text) +
                    (step.command.empty() ? "" : " $ " + clean(step.command)));
  for (const model::Finding& one : finding.consequences)
    lines.push_back("Hence: " + one.id + " " + clean(one.subject) + ": " + clean(one.text));
  return joined(lines);
}

Json result_json(const model::Finding& finding, const std::vector<RuleText>& rules) {
  Json out{{"ruleId", finding.id}};
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const RuleText& one) { return one.id == finding.id; });
  if (rule != rules.end()) out["ruleIndex"] = rule - rules.begin();
  out["kind"] = "fail";
  out["level"] = text(finding.severity);
  out["message"] = {{"text", message(finding)}};
  out["locations"] = {location(finding)};
  out["partialFingerprints"] = {{"railgauge/v1", finding.fingerprint}};
  return out;
}

Json notification(std::string_view level, const std::string& words, const std::string& rule) {
  Json out{{"level", level}, {"message", {{"text", words}}}};
  if (!rule.empty()) out["associatedRule"] = {{"id", rule}};
  return out;
}

// What could not be judged is no result: as one, it would look like an alert.
Json notifications(const CheckView& view) {
  Json out = Json::array();
  for (const std::string& warning : view.report.warnings)
    out.push_back(notification("warning", clean(warning), ""));
  for (const model::NotChecked& one : view.report.not_checked)
    out.push_back(notification(
        "note",
        "not checked" + (one.subject.empty() ? "" : " for " + clean(one.subject)) + ": needs " +
            clean(one.needs) + (one.command.empty() ? "" : ", from " + clean(one.command)),
        one.id));
  return out;
}

}  // namespace

std::string check_sarif(const CheckView& view) {
  Json rules = Json::array();
  for (const RuleText& rule : view.rules) rules.push_back(driver_rule(rule));
  Json results = Json::array();
  for (const model::Finding& finding : view.report.findings)
    results.push_back(result_json(finding, view.rules));
  for (const model::Suppressed& one : view.report.suppressed) {
    Json result = result_json(one.finding, view.rules);
    result["suppressions"] = {
        {{"kind", "external"},
         {"status", "accepted"},
         {"justification", clean(one.reason) + " (until " + one.until + ")"}}};
    results.push_back(std::move(result));
  }
  Json run{{"tool", {{"driver", {{"name", "railgauge"}, {"rules", std::move(rules)}}}}},
           {"invocations",
            {{{"executionSuccessful", true}, {"toolExecutionNotifications", notifications(view)}}}},
           {"results", std::move(results)},
           {"columnKind", "unicodeCodePoints"}};
  if (!view.tool_version.empty()) run["tool"]["driver"]["version"] = view.tool_version;
  const Json out{{"$schema", schema_address}, {"version", "2.1.0"}, {"runs", {std::move(run)}}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::present
