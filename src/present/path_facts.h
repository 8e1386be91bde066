// What is known of the way between every two endpoints (GPUs and NICs), computed once and shared by
// the JSON and the page.
#pragma once

#include <string>
#include <vector>

#include "model/paths.h"

namespace railgauge::present {

// The NCCL whose words are shown.
inline constexpr model::NcclVersion shown_nccl{2, 28, 0};

struct PathFacts {
  model::DeviceId a;
  model::DeviceId b;
  Reading<model::PathClass> smi;
  Reading<model::NcclPath> nccl;  // not reported between two NICs: NCCL knows no such path
  Reading<BytesPerSecond> as_found;
  Reading<BytesPerSecond> nominal;
};

// GPU–GPU, GPU–NIC, NIC–NIC; each pair once, in the order of endpoints().
std::vector<PathFacts> path_facts(const model::Machine& machine);

// As model::Machine is drawn by machine_json(), with the paths at hand.
std::string machine_json(const model::Machine& machine, const std::vector<PathFacts>& paths);

}  // namespace railgauge::present
