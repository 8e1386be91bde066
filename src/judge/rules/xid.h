// Parts of the family xid, which xid.cpp puts together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> xid_hardware_rules();  // off the bus, GSP, NVLink
std::vector<Rule> xid_memory_rules();    // uncorrectable errors, remapped rows
std::vector<Rule> gpu_driver_rules();    // other words of the drivers

}  // namespace railgauge::judge
