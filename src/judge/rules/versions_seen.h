// The versions of what a machine runs, by the words of data/bad_pairs.yaml: "nccl", "driver",
// "cuda" (the runtime), "kernel", "ofed", "firmware:MT4129", "compute" (each GPU's capability,
// "9.0"), "cpu:arm64" and "module:nvidia_peermem" (there or not; a version where it is told).
//   for (const SeenVersion& one : versions_seen(machine, "nccl")) …
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

struct SeenVersion {
  std::string what;     // "NCCL", "firmware of mlx5_0"
  std::string version;  // empty: it is there, its version is not told
  model::SourceRef source;
};

std::vector<SeenVersion> versions_seen(const model::Machine& machine, std::string_view component);

}  // namespace railgauge::judge
