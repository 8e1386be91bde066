// The table that nvidia-smi prints without arguments, and what it says instead when it cannot:
//   |   0  NVIDIA H200      On  |   00000000:18:00.0 Off |      0 |
//   Unable to determine the device handle for GPU 0000:43:00.0: GPU is lost. …
//   NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. …
// The list of processes below it is never looked at.
#pragma once

#include <string_view>

#include "base/result.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_smi_table(std::string_view bytes);
Result<model::Machine> read_smi_table(const Input& input);

}  // namespace railgauge::observe
