// Pasted output of show_gids: a line per row of the GID tables in use,
//   mlx5_0  1  3  0000:0000:0000:0000:0000:ffff:0a00:0001 10.0.0.1  v2  eth0
// The IPv4 address repeats what the GID says, and the network device may be missing.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_show_gids(std::string_view bytes);
Result<model::Machine> read_show_gids(const Input& input);

}  // namespace railgauge::observe
