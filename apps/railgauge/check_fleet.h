// The reports of several machines as one: which rules failed where, and which machines are odd.
//   CheckGatherer gatherer;
//   gatherer.add(node, input, report);      // once a machine
//   GatheredCheck all = gatherer.finish();
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/finding.h"
#include "present/check.h"

namespace railgauge::app {

struct GatheredCheck {
  model::CheckReport report;  // of one machine as it is; of several, findings name their node
  std::vector<present::NodeCheck> nodes;
  std::vector<present::RuleCount> rule_counts;  // errors first, and of those the rarest
};

class CheckGatherer {
 public:
  void add(const std::string& node, const std::string& input, model::CheckReport report);
  GatheredCheck finish();

 private:
  void mark_odd();
  void count_rules();

  GatheredCheck all_;
  std::vector<std::set<std::string>> failed_;  // rule ids by node, notes left out
  std::set<std::string> passed_;
  std::set<std::string> not_applicable_;
  std::set<std::string> not_checked_;  // what was said already
};

}  // namespace railgauge::app
