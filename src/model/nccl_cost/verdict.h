// A run of nccl-tests beside what was to be expected, size by size: the table that a report shows.
//   const auto what = measured_collective(run);               // all_reduce of 8 ranks
//   for (const SizeVerdict& size : verdicts(run, *what, found, nominal)) …
#pragma once

#include <optional>
#include <vector>

#include "model/benchmark.h"
#include "model/nccl_cost/expected.h"

namespace railgauge::model::nccl_cost {

// What the run measured, and on how many ranks. Where the output does not name the program or the
// ranks, the ratio of busbw to algbw gives them away: 2(n-1)/n and (n-1)/n.
struct Measured {
  Collective collective = Collective::all_reduce;
  int ranks = 0;
  friend bool operator==(const Measured&, const Measured&) = default;
};
std::optional<Measured> measured_collective(const BenchmarkRun& run);

// A size whose time is latency for less than this says something about bandwidth.
inline constexpr double bandwidth_bound_below = 0.25;

struct SizeVerdict {
  const BenchmarkRow* row = nullptr;  // of the run
  Expected found;                     // from the machine as it is
  std::optional<Expected> nominal;    // from the machine as sold
  double of_found = 0;                // measured over expected rate
  std::optional<double> of_nominal;
  bool bandwidth_bound() const { return found.latency_share < bandwidth_bound_below; }
};

// Rows of no bytes or no rate are left out; out of place before in place, by size.
std::vector<SizeVerdict> verdicts(const BenchmarkRun& run, const Measured& what,
                                  const Fabric& found, const std::optional<Fabric>& nominal);

// The bandwidth-bound size that comes nearest to what was expected; nullptr when none is.
const SizeVerdict* best(const std::vector<SizeVerdict>& sizes);

}  // namespace railgauge::model::nccl_cost
