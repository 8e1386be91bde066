// nvidia-smi -q, whole or of some sections (-d ECC,CLOCK): one block for each GPU. What the table
// in keys.h does not know is counted and not kept; processes are never looked at.
#pragma once

#include <string_view>

#include "base/result.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_smi_query(std::string_view bytes);
Result<model::Machine> read_smi_query(const Input& input);

}  // namespace railgauge::observe
