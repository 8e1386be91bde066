// The pages of the family `topology_file`, and the look at another machine's file.
#pragma once

#include <array>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

using Look = void (*)(const Patient&, Verdicts&);

// CFG001 to CFG009 with these looks, in order.
std::vector<Rule> topology_file_rule_list(const std::array<Look, 9>& looks);

void look_topology_of_another_machine(const Patient& patient, Verdicts& out);

}  // namespace railgauge::judge
