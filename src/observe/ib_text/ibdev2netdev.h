// Pasted output of ibdev2netdev, plain or -v:
//   mlx5_0 port 1 ==> eth0 (Up)
//   0000:17:00.0 mlx5_0 (MT4129 - MCX75310AAS-NEAT) … fw 28.39.1002 port 1 (ACTIVE) ==> ibs1 (Up)
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_ibdev2netdev(std::string_view bytes);
Result<model::Machine> read_ibdev2netdev(const Input& input);

}  // namespace railgauge::observe
