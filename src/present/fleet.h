// What `see` shows of many machines: groups that are alike, and what makes the others odd.
#pragma once

#include <string>

#include "model/fleet/fleet.h"
#include "present/present.h"

namespace railgauge::present {

std::string text_fleet(const model::FleetReport& report, const Style& style);
// Members of result: "groups", "odd" and their counts, without braces around them.
std::string fleet_json(const model::FleetReport& report);

}  // namespace railgauge::present
