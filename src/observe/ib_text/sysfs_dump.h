// /sys/class/infiniband as text, a file a line:
//   mlx5_0/ports/1/counters/symbol_error: 0
//   /sys/class/infiniband/mlx5_0/ports/1/state:4: ACTIVE              (grep -r .
//   /sys/class/infiniband) /sys/devices/…/0000:18:00.0/infiniband/mlx5_0/fw_ver:28.39.1002   (says
//   the PCI function, too)
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_sysfs_dump(std::string_view bytes);
Result<model::Machine> read_sysfs_dump(const Input& input);

}  // namespace railgauge::observe
