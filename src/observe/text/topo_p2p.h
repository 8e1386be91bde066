// nvidia-smi topo -p2p r|w|n|a|p: which GPUs may reach each other's memory. What the matrix is
// about stands only in the command line; where the paste lacks it, read is assumed and said.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_topo_p2p(std::string_view bytes);
Result<model::Machine> read_topo_p2p(const Input& input);

}  // namespace railgauge::observe
