// The rules about what NCCL used against what there is, by subject; nccl_transport.cpp puts them
// together.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

void add_socket_rules(std::vector<Rule>& rules);   // networks and adapters
void add_gdr_rules(std::vector<Rule>& rules);      // GPUDirect RDMA
void add_peer_rules(std::vector<Rule>& rules);     // between GPUs of one node
void add_channel_rules(std::vector<Rule>& rules);  // channels, NCCL's own topology

}  // namespace railgauge::judge
