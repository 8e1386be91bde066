// nvidia-smi --query-gpu=… --format=csv, with and without units: the first line names the columns.
// Also --query-remapped-rows, which names the GPU by gpu_bus_id. Without a first line
// (--format=csv,noheader) nobody can know what the numbers are.
#pragma once

#include <string_view>

#include "base/result.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_smi_csv(std::string_view bytes);
Result<model::Machine> read_smi_csv(const Input& input);

}  // namespace railgauge::observe
