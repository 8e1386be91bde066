// The rules about how ranks were set up, by subject; nccl_setup.cpp puts them together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

void add_rank_rules(std::vector<Rule>& rules);       // devices, versions, the start itself
void add_mask_rules(std::vector<Rule>& rules);       // the CPUs of ranks
void add_interface_rules(std::vector<Rule>& rules);  // interfaces, and what was guessed

}  // namespace railgauge::judge
