#include "judge/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/strings.h"
#include "judge/fold.h"
#include "judge/rule.h"

namespace railgauge::judge {
namespace {

using namespace model;

// '*' any characters, '?' one; ignoring case. Linear but for one step back per star.
bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t restart = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      restart = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++restart;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool names(std::string_view word, const Rule& rule) {
  return equal_nocase(word, rule.id) || equal_nocase(word, rule.name) ||
         equal_nocase(word, rule.id.substr(0, 3));
}

bool selected(const Rule& rule, const Selection& selection) {
  const auto named = [&](const std::string& word) { return names(word, rule); };
  if (std::any_of(selection.skip.begin(), selection.skip.end(), named)) return false;
  return selection.only.empty() || std::any_of(selection.only.begin(), selection.only.end(), named);
}

// FNV-1a. Of the rule and its subject only, so that a number that moves makes no other finding.
std::string fingerprint_of(const Finding& finding) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string_view part :
       {std::string_view(finding.id), std::string_view("\n"), std::string_view(finding.subject)})
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

void complete(Finding& finding, const Rule& rule) {
  finding.id = rule.id;
  finding.name = rule.name;
  if (finding.weight == 0) finding.weight = rule.weight;
  if (finding.benign_if.empty()) finding.benign_if = rule.page.benign_if;
  for (const std::string_view reference : rule.page.references)
    finding.references.emplace_back(reference);
  finding.fingerprint = fingerprint_of(finding);
}

// Needs that nobody gave; false when there are any.
bool has_needs(const Patient& patient, const Rule& rule, CheckReport& report) {
  for (const Need need : rule.needs) {
    if (has(patient, need)) continue;
    const NeedWords how = words(need);
    report.not_checked.push_back({std::string(rule.id),
                                  std::string(rule.name),
                                  {},
                                  std::string(how.what),
                                  std::string(how.command)});
    return false;
  }
  return true;
}

void run(const Patient& patient, const Rule& rule, CheckReport& report) {
  if (!has_needs(patient, rule, report)) return;
  Verdicts verdicts(rule.severity);
  rule.look(patient, verdicts);
  for (Finding& finding : verdicts.failures) {
    complete(finding, rule);
    report.findings.push_back(std::move(finding));
  }
  for (NotChecked& unknown : verdicts.unknowns) {
    unknown.id = rule.id;
    unknown.name = rule.name;
    report.not_checked.push_back(std::move(unknown));
  }
  if (!verdicts.failures.empty() || !verdicts.unknowns.empty()) return;
  (verdicts.passed() ? report.passed : report.not_applicable).emplace_back(rule.id);
}

void suppress(const Selection& selection, CheckReport& report) {
  for (const Suppression& one : selection.suppressions) {
    if (one.until < selection.today) {
      report.warnings.push_back(
          fmt::format("the suppression of {} ended on {} ({}): renew it or mend the cause", one.id,
                      one.until, one.reason));
      continue;
    }
    const auto kept = std::stable_partition(
        report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
          return !(equal_nocase(one.id, finding.id) || equal_nocase(one.id, finding.name)) ||
                 !(one.subject.empty() || matches_glob(one.subject, finding.subject));
        });
    for (auto at = kept; at != report.findings.end(); ++at)
      report.suppressed.push_back({std::move(*at), one.reason, one.until});
    report.findings.erase(kept, report.findings.end());
  }
}

}  // namespace

CheckReport findings(const Patient& patient, const Selection& selection) {
  CheckReport report;
  for (const Rule* rule : all_rules())
    if (selected(*rule, selection)) run(patient, *rule, report);
  suppress(selection, report);
  fold(patient.machine, report.findings);
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     if (a.severity != b.severity) return a.severity > b.severity;
                     return a.weight > b.weight;
                   });
  return report;
}

std::vector<std::string> unknown_rules(const Selection& selection) {
  std::vector<std::string> out;
  const auto rules = all_rules();
  const auto look = [&](const std::string& word) {
    if (std::none_of(rules.begin(), rules.end(),
                     [&](const Rule* rule) { return names(word, *rule); }))
      out.push_back(word);
  };
  for (const std::string& word : selection.only) look(word);
  for (const std::string& word : selection.skip) look(word);
  for (const Suppression& one : selection.suppressions) look(one.id);
  return out;
}

}  // namespace railgauge::judge
