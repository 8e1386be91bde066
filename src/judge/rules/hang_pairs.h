// Sends and receives that do not meet. Used by hang_stalls.cpp only.
#pragma once

#include <vector>

#include "judge/rules/hang_job.h"

namespace railgauge::judge::hang {

struct Stall;

// One for each pair of ranks whose open sends and receives differ in number, or are both open.
std::vector<Stall> pair_stalls(const Job& job);

}  // namespace railgauge::judge::hang
