// Parts of the family nvlink_fabric, which nvlink_fabric.cpp puts together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> nvswitch_rules();  // SXids

}  // namespace railgauge::judge
