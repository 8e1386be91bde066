// Says once what is unknown of many subjects for the same reason: eight GPUs without temperatures
// are one line and not eight.
//   .look = unknown_once<hot>
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

// Unknowns with the same need become one, in the place of the first. Its subject is empty, which
// means altogether, when the rule judged nothing else.
inline void join_unknowns(Verdicts& out) {
  std::vector<model::NotChecked> kept;
  std::vector<std::size_t> counts;
  for (model::NotChecked& one : out.unknowns) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const model::NotChecked& other) {
      return other.needs == one.needs && other.command == one.command;
    });
    if (same == kept.end()) {
      kept.push_back(std::move(one));
      counts.push_back(1);
    } else {
      ++counts[static_cast<std::size_t>(same - kept.begin())];
    }
  }
  const bool nothing_else = kept.size() == 1 && out.failures.empty() && !out.passed();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (counts[i] < 2) continue;
    kept[i].subject = nothing_else
                          ? std::string()
                          : kept[i].subject + " and " + std::to_string(counts[i] - 1) + " more";
  }
  out.unknowns = std::move(kept);
}

template <auto look>
void unknown_once(const Patient& patient, Verdicts& out) {
  look(patient, out);
  join_unknowns(out);
}

}  // namespace railgauge::judge
