// Reads a recording by every live source that it holds something of, and its samples with them.
#pragma once

#include <chrono>
#include <vector>

#include "base/result.h"
#include "model/machine.h"
#include "observe/recording.h"

namespace railgauge::observe {

struct LivePart {
  const char* source = "";
  Result<model::Machine> machine;
  std::chrono::microseconds time{};
};

std::vector<LivePart> read_live_parts(const Recording& recording);

// What the manifest says of when and how the recording was made; nothing for loose inputs.
std::optional<model::Taken> taken_of(const Recording& recording);

}  // namespace railgauge::observe
