// The rules of the family `variables_harmful`, by what the variables steer.
#pragma once

#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> harmful_transport_rules();  // P2P, SHM, IB, refused peer access, proxies
std::vector<Rule> harmful_device_rules();     // names of adapters and interfaces, GIDs, files
std::vector<Rule> harmful_gpudirect_rules();  // GPUDirect RDMA: levels, off
std::vector<Rule> harmful_tuning_rules();     // algorithms, channels, NVLS, buffers, timeouts
std::vector<Rule> harmful_debugging_rules();  // what debugging leaves behind

inline constexpr std::string_view nccl_guide = "NCCL User Guide, Environment Variables";

}  // namespace railgauge::judge
