// Parts of the family pcie_config, which pcie_config.cpp puts together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> pcie_isolation_rules();  // ACS, IOMMU, faults, foreign drivers
std::vector<Rule> pcie_tuning_rules();     // ASPM, BAR1, relaxed ordering, read request, payload

// Devices are handed to guests: another driver stands in for theirs.
bool serves_virtual_machines(const model::Machine& machine);

}  // namespace railgauge::judge
