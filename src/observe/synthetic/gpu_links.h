// The links that leave GPUs without PCIe: `nvlink`, `xgmi` and `c2c` of a description.
//   nvlink: {version: 4, per_switch: [5, 4, 4, 5]}   links of every GPU to each NVSwitch of the
//   tree nvlink: {version: 5, hidden_switch: 18}          the host does not see the switches
//   nvlink: {version: 2, pairs: [[0, 1, 1], …]}      GPU, GPU, links
//   xgmi: {links: 1}                                 between all pairs
//   c2c: [[0, 0], [1, 0]]                            GPU, package
#pragma once

#include "model/catalogue.h"
#include "model/machine.h"
#include "observe/catalogue/yaml_row.h"

namespace railgauge::observe {

void add_gpu_links(YamlRow& top, model::Machine& machine, const model::Catalogue& catalogue,
                   model::SourceRef source);

}  // namespace railgauge::observe
