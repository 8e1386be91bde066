// What stands after a GPU's cells: which cores and memory are near it.
#pragma once

#include <string>
#include <string_view>

#include "model/device.h"

namespace railgauge::observe {

// `column` is "CPU Affinity", "NUMA Affinity" or "GPU NUMA ID"; an empty value says nothing.
// A NUMA affinity of one node is also the device's numa_node; a list stays a list. False when the
// value has no such form.
bool claim_affinity(std::string_view column, const std::string& value, model::SourceRef source,
                    model::Device& device, model::GpuFacts& gpu);

}  // namespace railgauge::observe
