// The rules about errors that NCCL reported, by subject; nccl_failure.cpp puts them together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

void add_completion_rules(std::vector<Rule>& rules);    // errors of RDMA completions
void add_verbs_rules(std::vector<Rule>& rules);         // calls of libibverbs and of plugins
void add_fabric_rules(std::vector<Rule>& rules);        // NVLS and multi-node NVLink
void add_host_failure_rules(std::vector<Rule>& rules);  // memory, /dev/shm, sockets, peers

}  // namespace railgauge::judge
