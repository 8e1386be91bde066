#include "judge/fold.h"

#include <algorithm>
#include <optional>

#include "judge/rule.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool same_device(const Finding& a, const Finding& b) {
  return std::any_of(a.devices.begin(), a.devices.end(), [&](DeviceId id) {
    return std::find(b.devices.begin(), b.devices.end(), id) != b.devices.end();
  });
}

bool above(const Machine& machine, DeviceId upper, DeviceId lower) {
  const auto path = ancestry(machine, lower);
  return std::find(path.begin(), path.end(), upper) != path.end();
}

bool same_path(const Machine& machine, const Finding& a, const Finding& b) {
  for (const DeviceId one : a.devices)
    for (const DeviceId other : b.devices)
      if (above(machine, one, other) || above(machine, other, one)) return true;
  return false;
}

bool explains(const Machine& machine, const Rule& rule, const Finding& cause,
              const Finding& consequence) {
  return std::any_of(rule.explains.begin(), rule.explains.end(), [&](const Explains& row) {
    if (row.consequence != consequence.id) return false;
    if (row.relation == Relation::same_device) return same_device(cause, consequence);
    if (row.relation == Relation::same_path) return same_path(machine, cause, consequence);
    return true;
  });
}

// By severity, then weight.
bool heavier(const Finding& a, const Finding& b) {
  return a.severity != b.severity ? a.severity > b.severity : a.weight > b.weight;
}

// For each finding the one that takes it in; nothing for a cause. What rules explain has no cycles,
// which a test proves, so neither has this.
std::vector<std::optional<std::size_t>> takers(const Machine& machine,
                                               const std::vector<Finding>& findings) {
  std::vector<std::optional<std::size_t>> out(findings.size());
  for (std::size_t j = 0; j < findings.size(); ++j) {
    const Rule* rule = find_rule(findings[j].id);
    if (rule == nullptr || rule->explains.empty()) continue;
    for (std::size_t i = 0; i < findings.size(); ++i)
      if (i != j && explains(machine, *rule, findings[j], findings[i]) &&
          (!out[i] || heavier(findings[j], findings[*out[i]])))
        out[i] = j;
  }
  return out;
}

}  // namespace

void fold(const Machine& machine, std::vector<Finding>& findings) {
  const auto taker = takers(machine, findings);
  std::vector<std::size_t> depth(findings.size(), 0);
  for (std::size_t i = 0; i < findings.size(); ++i)
    for (auto up = taker[i]; up; up = taker[*up]) ++depth[i];
  std::vector<std::size_t> order(findings.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return depth[a] > depth[b]; });
  for (const std::size_t i : order) {
    if (!taker[i]) continue;
    Finding& cause = findings[*taker[i]];
    // What follows from the cause is at least as bad as what the cause is.
    cause.severity = std::max(cause.severity, findings[i].severity);
    cause.weight = std::max(cause.weight, findings[i].weight);
    cause.consequences.push_back(std::move(findings[i]));
  }
  std::vector<Finding> causes;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (!taker[i]) causes.push_back(std::move(findings[i]));
  findings = std::move(causes);
}

}  // namespace railgauge::judge
