// Many partial views of one machine become one: devices meet by PCI address, then by name (RDMA
// device, netdev, numa index), then by index, which is marked inferred. Facts keep every claim, so
// two sources that disagree stay visible. Pure.
//   model::Machine machine = join({from_matrix, from_lspci, from_xml});
//   model::settle(machine, catalogue);
#pragma once

#include <vector>

#include "model/machine.h"

namespace railgauge::observe {

model::Machine join(const std::vector<model::Machine>& parts);
// The same, for parts that nobody needs afterwards: the largest is not copied.
model::Machine join(std::vector<model::Machine>&& parts);

}  // namespace railgauge::observe
