// What NCCL expects each algorithm and protocol to take, and which it therefore runs.
//   Choice choice = *choose(fabric, Collective::all_reduce, 1 << 20);   // Ring, LL
// Source: ncclTopoTuneModel and ncclTopoGetAlgoTime of src/graph/tuning.cc. CollNet (SHARP) and PAT
// are left out: the one needs a plug-in, the other one GPU a node.
#pragma once

#include <optional>
#include <vector>

#include "model/nccl_cost/collective.h"
#include "model/nccl_cost/fabric.h"
#include "model/nccl_cost/tuning.h"

namespace railgauge::model::nccl_cost {

struct Choice {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  double latency_us = 0;
  double of_network_us = 0;  // the part of it that is spent between nodes
  double algbw_gbps = 0;     // as NCCL counts: of the operation's bytes
  double nccl_time_us = 0;   // by which NCCL chooses
  friend bool operator==(const Choice&, const Choice&) = default;
};

// Every one that is possible, in NCCL's order; empty for a single rank, and for all_to_all and
// send_receive, which NCCL does not tune.
std::vector<Choice> choices(const Fabric& fabric, Collective collective, double bytes);
std::optional<Choice> choose(const Fabric& fabric, Collective collective, double bytes);

}  // namespace railgauge::model::nccl_cost
