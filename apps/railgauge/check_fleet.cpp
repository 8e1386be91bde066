#include "apps/railgauge/check_fleet.h"

#include <algorithm>

namespace railgauge::app {
namespace {

using model::Finding;
using model::Severity;

void name_node(Finding& finding, const std::string& node) {
  finding.node = node;
  for (Finding& one : finding.consequences) name_node(one, node);
}

}  // namespace

void CheckGatherer::add(const std::string& node, const std::string& input,
                        model::CheckReport report) {
  present::NodeCheck& row = all_.nodes.emplace_back();
  row.node = node;
  row.input = input;
  auto& failed = failed_.emplace_back();
  for (Finding& finding : report.findings) {
    switch (finding.severity) {
      case Severity::error: ++row.errors; break;
      case Severity::warning: ++row.warnings; break;
      case Severity::note: ++row.notes; break;
    }
    if (finding.severity != Severity::note) failed.insert(finding.id);
    name_node(finding, node);
    all_.report.findings.push_back(std::move(finding));
  }
  // Subjects of many machines would be a list that nobody reads: each want is said once.
  const bool first = all_.nodes.size() == 1;
  for (model::NotChecked& one : report.not_checked)
    if (not_checked_.insert(one.id + "\n" + one.needs).second || first)
      all_.report.not_checked.push_back(std::move(one));
  passed_.insert(report.passed.begin(), report.passed.end());
  not_applicable_.insert(report.not_applicable.begin(), report.not_applicable.end());
  std::move(report.suppressed.begin(), report.suppressed.end(),
            std::back_inserter(all_.report.suppressed));
  for (std::string& warning : report.warnings)
    if (std::find(all_.report.warnings.begin(), all_.report.warnings.end(), warning) ==
        all_.report.warnings.end())
      all_.report.warnings.push_back(std::move(warning));
}

// What more than half of the machines fail in is the fleet's state; who differs from it is odd.
void CheckGatherer::mark_odd() {
  std::map<std::set<std::string>, std::size_t> alike;
  for (const auto& failed : failed_) ++alike[failed];
  for (const auto& [usual, count] : alike) {
    if (count * 2 <= failed_.size()) continue;
    for (std::size_t i = 0; i < failed_.size(); ++i) all_.nodes[i].odd = failed_[i] != usual;
  }
}

void CheckGatherer::count_rules() {
  std::map<std::string, present::RuleCount> counts;
  for (const Finding& finding : all_.report.findings) {
    present::RuleCount& count = counts[finding.id];
    count.id = finding.id;
    count.name = finding.name;
    count.severity =
        count.nodes.empty() ? finding.severity : std::max(count.severity, finding.severity);
    // Findings still stand in the order of their machines.
    if (count.nodes.empty() || count.nodes.back() != finding.node)
      count.nodes.push_back(finding.node);
  }
  for (auto& [id, count] : counts) all_.rule_counts.push_back(std::move(count));
  std::stable_sort(all_.rule_counts.begin(), all_.rule_counts.end(),
                   [](const present::RuleCount& a, const present::RuleCount& b) {
                     if (a.severity != b.severity) return a.severity > b.severity;
                     return a.nodes.size() < b.nodes.size();
                   });
}

GatheredCheck CheckGatherer::finish() {
  model::CheckReport& report = all_.report;
  if (all_.nodes.size() == 1) {
    for (Finding& finding : report.findings) name_node(finding, "");
  } else {
    mark_odd();
    count_rules();
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const Finding& a, const Finding& b) {
                       if (a.severity != b.severity) return a.severity > b.severity;
                       return a.weight > b.weight;
                     });
  }
  // Passed somewhere and judged everywhere where it could be; the rest applied nowhere.
  std::set<std::string> open;
  for (const Finding& finding : report.findings) open.insert(finding.id);
  for (const model::NotChecked& one : report.not_checked) open.insert(one.id);
  for (const std::string& id : passed_)
    if (!open.contains(id)) report.passed.push_back(id);
  for (const std::string& id : not_applicable_)
    if (!open.contains(id) && !passed_.contains(id)) report.not_applicable.push_back(id);
  return std::move(all_);
}

}  // namespace railgauge::app
