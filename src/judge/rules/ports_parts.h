// The files of the family `ports`, each a part of its rules.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> port_down_rules();
std::vector<Rule> port_speed_rules();   // rate and MTU
std::vector<Rule> port_mixed_rules();   // firmware, link layers, subnet manager
std::vector<Rule> port_netdev_rules();  // the network stack's side
std::vector<Rule> port_event_rules();   // what the kernel log says

}  // namespace railgauge::judge
