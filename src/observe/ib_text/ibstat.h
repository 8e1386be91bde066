// Pasted output of ibstat ("CA 'mlx5_0'" and its ports), ibstatus ("Infiniband device 'mlx5_0' port
// 1 status:") and ibv_devinfo, plain or -v ("hca_id:	mlx5_0"): the state of RDMA adapters.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_ibstat(std::string_view bytes);
Result<model::Machine> read_ibstat(const Input& input);

bool looks_like_ibstatus(std::string_view bytes);
Result<model::Machine> read_ibstatus(const Input& input);

bool looks_like_ibv_devinfo(std::string_view bytes);
Result<model::Machine> read_ibv_devinfo(const Input& input);

}  // namespace railgauge::observe
