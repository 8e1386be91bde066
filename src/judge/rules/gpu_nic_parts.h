// The files of the family `gpu_nic`, each a part of its rules.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> gpu_nic_distance_rules();
std::vector<Rule> gpu_nic_uplink_rules();  // shared uplinks, mixed rates

}  // namespace railgauge::judge
