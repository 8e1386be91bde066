// The files of the family `host`, each a part of its rules.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> host_limit_rules();    // shared memory, locked memory, files, cgroups, sockets
std::vector<Rule> host_setting_rules();  // governor, huge pages, nouveau
std::vector<Rule> host_event_rules();    // what the kernel log says of processes and memory

}  // namespace railgauge::judge
