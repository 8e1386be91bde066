// rocm-smi --showtopo and its parts (weight, hops, link type, access, NUMA), and the tables of
// amd-smi topology, which name GPUs by PCI address.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_rocm_showtopo(std::string_view bytes);
Result<model::Machine> read_rocm_showtopo(const Input& input);

}  // namespace railgauge::observe
