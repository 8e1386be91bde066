// How long a collective should take, and how fast that is: NCCL's published constants and its own
// choice of algorithm and protocol, and three facts about its kernels that its cost model leaves
// out (docs/design/0007-bandwidth.md). Nothing is fitted to measurements.
//   const auto found = expected(fabric, Collective::all_reduce, 1 << 30);
//   found->busbw, found->seconds, found->latency_share
// Out of place, unregistered buffers, as nccl-tests runs by default.
#pragma once

#include <optional>

#include "base/units.h"
#include "model/nccl_cost/collective.h"
#include "model/nccl_cost/fabric.h"
#include "model/nccl_cost/tuning.h"

namespace railgauge::model::nccl_cost {

struct Expected {
  double seconds = 0;
  BytesPerSecond algbw;
  BytesPerSecond busbw;
  double latency_share = 0;  // of the time: near 1 the size says nothing about bandwidth
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  bool tuned = true;  // false: point to point, where NCCL chooses no algorithm
  friend bool operator==(const Expected&, const Expected&) = default;
};

// Nothing for a single rank, no bytes, or a fabric without links.
std::optional<Expected> expected(const Fabric& fabric, Collective collective, double bytes);

}  // namespace railgauge::model::nccl_cost
