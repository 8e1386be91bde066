// Parts of the family nvlink, which nvlink.cpp puts together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> nvlink_missing_rules();  // none where the board has some
std::vector<Rule> nvlink_narrow_rules();   // too few, not the same both ways
std::vector<Rule> nvlink_port_rules();     // inactive links, errors, recoveries
std::vector<Rule> nvlink_pair_rules();     // peer-to-peer refused, xGMI missing

// What to do about links that are down.
std::vector<model::RemedyStep> bring_up_nvlink();

}  // namespace railgauge::judge
