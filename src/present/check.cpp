#include "present/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

void add_once(std::vector<std::string>& list, const std::string& word) {
  if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end())
    list.push_back(word);
}

void add_part(std::string& out, const std::string& part) {
  if (!part.empty()) out += (out.empty() ? "" : ", ") + part;
}

}  // namespace

CheckCounts counts_of(const model::CheckReport& report) {
  CheckCounts out;
  for (const model::Finding& finding : report.findings) switch (finding.severity) {
      case model::Severity::error: ++out.errors; break;
      case model::Severity::warning: ++out.warnings; break;
      case model::Severity::note: ++out.notes; break;
    }
  std::set<std::string> ids;
  for (const model::NotChecked& one : report.not_checked) ids.insert(one.id);
  out.not_checked = ids.size();
  return out;
}

std::string summary_line(const model::CheckReport& report) {
  const CheckCounts count = counts_of(report);
  std::string found;
  if (count.errors > 0) add_part(found, plural(count.errors, "error", "errors"));
  if (count.warnings > 0) add_part(found, plural(count.warnings, "warning", "warnings"));
  if (count.notes > 0) add_part(found, plural(count.notes, "note", "notes"));
  if (found.empty()) found = "nothing found";
  std::string out = fmt::format("{}; {} passed, {} not applicable, {} not checked", found,
                                plural(report.passed.size(), "rule", "rules"),
                                report.not_applicable.size(), count.not_checked);
  if (!report.suppressed.empty()) out += fmt::format(", {} suppressed", report.suppressed.size());
  return out;
}

std::vector<MissingFacts> missing_facts(const model::CheckReport& report) {
  std::vector<MissingFacts> out;
  for (const model::NotChecked& one : report.not_checked) {
    // Without a command the need itself is what people look for.
    const auto same = std::find_if(out.begin(), out.end(), [&](const MissingFacts& facts) {
      return facts.command == one.command && (!one.command.empty() || facts.needs[0] == one.needs);
    });
    MissingFacts& facts = same == out.end() ? out.emplace_back() : *same;
    facts.command = one.command;
    add_once(facts.needs, one.needs);
    add_once(facts.ids, one.id);
  }
  std::stable_sort(out.begin(), out.end(), [](const MissingFacts& a, const MissingFacts& b) {
    return a.ids.size() > b.ids.size();
  });
  return out;
}

std::string impact_words(const model::Finding& finding) {
  const model::Impact& impact = finding.impact;
  std::string out = clean(impact.text);
  std::string rates;
  if (impact.now && impact.could)
    rates = fmt::format("{} of {}", text(*impact.now), text(*impact.could));
  if (contains(finding.text, rates) || contains(impact.text, rates)) rates.clear();
  if (impact.lost_fraction && *impact.lost_fraction > 0)
    add_part(rates, fmt::format("{:.0f} % lost", *impact.lost_fraction * 100));
  if (rates.empty()) return out;
  return out.empty() ? rates : out + " (" + rates + ")";
}

std::string evidence_words(const model::Evidence& evidence) {
  std::string out = clean(evidence.what);
  if (!evidence.observed.empty()) out += (out.empty() ? "" : ": ") + clean(evidence.observed);
  if (!evidence.expected.empty()) out += ", expected " + clean(evidence.expected);
  return out;
}

std::string caution_words(const model::RemedyStep& step) {
  std::string out;
  if (step.needs_root) add_part(out, "as root");
  if (step.needs_reboot) add_part(out, "reboot");
  if (step.risk == model::Risk::disturbs) add_part(out, "disturbs running jobs");
  if (step.risk == model::Risk::interrupts) add_part(out, "ends running jobs");
  if (!step.risk_text.empty()) out += (out.empty() ? "" : ": ") + clean(step.risk_text);
  return out;
}

}  // namespace railgauge::present
