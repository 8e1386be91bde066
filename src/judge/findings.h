// The room's entry point: one machine in, what is wrong with it out.
//   CheckReport report = judge::findings(patient, {});
// Causes take in their consequences (fold.h): the report lists causes, most important first.
#pragma once

#include <string>
#include <vector>

#include "judge/patient.h"
#include "model/finding.h"

namespace railgauge::judge {

// A finding that the site knows and accepts, until a date.
struct Suppression {
  std::string id;       // rule id or name
  std::string subject;  // glob over the finding's subject: "mlx5_1*"; empty: any
  std::string reason;   // required
  std::string until;    // "2027-01-31", required
};

struct Selection {
  std::vector<std::string> only;  // rule ids, names, categories ("PCI"); empty: all
  std::vector<std::string> skip;
  std::vector<Suppression> suppressions;
  std::string today;  // "2026-11-29"; suppressions that ended before it do not hold
};

model::CheckReport findings(const Patient& patient, const Selection& selection);

// Words of `only` and `skip` that name no rule; for an error message.
std::vector<std::string> unknown_rules(const Selection& selection);

}  // namespace railgauge::judge
