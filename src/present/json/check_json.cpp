// result of `check --json` and of `explain --json`; keys as in schema/check.schema.json and
// schema/explain.schema.json.
#include <map>

#include "present/check.h"
#include "present/json/values.h"

namespace railgauge::present {
namespace {

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(clean(text));
}

Json impact_json(const model::Impact& impact) {
  if (impact.text.empty() && !impact.now && !impact.could && !impact.lost_fraction) return nullptr;
  Json out{{"text", clean(impact.text)}};
  put_present(out, "now_bytes_per_second", impact.now);
  put_present(out, "could_bytes_per_second", impact.could);
  put_present(out, "lost_fraction", impact.lost_fraction);
  return out;
}

Json remedy_json(const model::RemedyStep& step) {
  return {{"text", clean(step.text)},      {"command", text_or_null(step.command)},
          {"needs_root", step.needs_root}, {"needs_reboot", step.needs_reboot},
          {"risk", text(step.risk)},       {"risk_text", text_or_null(step.risk_text)}};
}

Json evidence_json(const model::Evidence& one) {
  return {{"what", clean(one.what)},
          {"observed", clean(one.observed)},
          {"expected", text_or_null(one.expected)},
          {"source", text_or_null(one.source)}};
}

Json finding_json(const model::Finding& finding, const model::Machine* machine) {
  Json out{{"id", finding.id},
           {"name", finding.name},
           {"severity", text(finding.severity)},
           {"status", "fail"},
           {"subject", clean(finding.subject)}};
  put_present(out, "node", finding.node);
  out["devices"] = Json::array();
  if (machine != nullptr)
    for (const model::DeviceId id : finding.devices) out["devices"].push_back(id_of(*machine, id));
  out["text"] = clean(finding.text);
  out["evidence"] = Json::array();
  for (const model::Evidence& one : finding.evidence) out["evidence"].push_back(evidence_json(one));
  out["impact"] = impact_json(finding.impact);
  out["remedy"] = Json::array();
  for (const model::RemedyStep& step : finding.remedy) out["remedy"].push_back(remedy_json(step));
  out["benign_if"] = text_or_null(finding.benign_if);
  out["references"] = json_value(finding.references);
  out["fingerprint"] = finding.fingerprint;
  out["consequences"] = Json::array();
  for (const model::Finding& one : finding.consequences)
    out["consequences"].push_back(finding_json(one, machine));
  return out;
}

Json summary_json(const CheckView& view) {
  const CheckCounts count = counts_of(view.report);
  return {{"errors", count.errors},
          {"warnings", count.warnings},
          {"notes", count.notes},
          {"passed", view.report.passed.size()},
          {"not_applicable", view.report.not_applicable.size()},
          {"not_checked", count.not_checked},
          {"suppressed", view.report.suppressed.size()},
          {"fail_on", view.fail_on}};
}

void put_fleet(Json& out, const CheckView& view) {
  out["nodes"] = Json::array();
  for (const NodeCheck& node : view.nodes)
    out["nodes"].push_back({{"node", clean(node.node)},
                            {"input", text_or_null(node.input)},
                            {"errors", node.errors},
                            {"warnings", node.warnings},
                            {"notes", node.notes},
                            {"odd", node.odd}});
  out["rules"] = Json::array();
  for (const RuleCount& rule : view.rule_counts)
    out["rules"].push_back({{"id", rule.id},
                            {"name", rule.name},
                            {"severity", text(rule.severity)},
                            {"count", rule.nodes.size()},
                            {"nodes", json_value(rule.nodes)}});
}

Json rule_value(const RuleText& rule) {
  return {{"id", rule.id},
          {"name", rule.name},
          {"severity", text(rule.severity)},
          {"what", clean(rule.what)},
          {"why", rule.why},
          {"by_hand", rule.by_hand},
          {"remedy", rule.remedy},
          {"benign_if", rule.benign_if},
          {"needs", json_value(rule.needs)},
          {"references", json_value(rule.references)}};
}

}  // namespace

std::string check_json(const CheckView& view) {
  Json out{{"name", clean(view.name)}, {"summary", summary_json(view)}};
  if (view.several()) put_fleet(out, view);
  out["findings"] = Json::array();
  for (const model::Finding& finding : view.report.findings)
    out["findings"].push_back(finding_json(finding, view.machine));
  out["not_checked"] = Json::array();
  for (const model::NotChecked& one : view.report.not_checked)
    out["not_checked"].push_back({{"id", one.id},
                                  {"name", one.name},
                                  {"subject", text_or_null(one.subject)},
                                  {"needs", clean(one.needs)},
                                  {"command", text_or_null(one.command)}});
  out["passed"] = json_value(view.report.passed);
  out["not_applicable"] = json_value(view.report.not_applicable);
  out["suppressed"] = Json::array();
  for (const model::Suppressed& one : view.report.suppressed) {
    Json finding = finding_json(one.finding, view.machine);
    finding["suppression"] = {{"reason", clean(one.reason)}, {"until", clean(one.until)}};
    out["suppressed"].push_back(std::move(finding));
  }
  return dumped(out);
}

std::string rules_json(const std::vector<RuleText>& rules) {
  Json out{{"rules", Json::array()}};
  for (const RuleText& rule : rules)
    out["rules"].push_back({{"id", rule.id},
                            {"name", rule.name},
                            {"severity", text(rule.severity)},
                            {"what", clean(rule.what)}});
  return dumped(out);
}

std::string rule_json(const RuleText& rule) { return dumped(Json{{"rule", rule_value(rule)}}); }

}  // namespace railgauge::present
