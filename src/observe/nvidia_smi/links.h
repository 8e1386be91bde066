// nvidia-smi -L, and nvidia-smi nvlink -s, -e, -c, -p, -R: a line for each GPU, below it its MIG
// devices or its links.
//   GPU 0: NVIDIA H200 (UUID: GPU-…)
//            Link 0: 26.562 GB/s
#pragma once

#include <string_view>

#include "base/result.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_smi_list(std::string_view bytes);
Result<model::Machine> read_smi_list(const Input& input);

}  // namespace railgauge::observe
