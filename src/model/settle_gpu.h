// Steps of settle_gpu_links(): links between GPUs from ports, from matrix cells, and what the
// boards add. For the settle_*.cpp files only.
#pragma once

#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::model {

inline bool is_gpu_link(LinkKind kind) {
  return kind == LinkKind::nvlink || kind == LinkKind::xgmi;
}

void settle_port_links(Machine& machine);
void settle_cell_links(Machine& machine, const Catalogue& catalogue);
void settle_xgmi_cells(Machine& machine);

// Generation and possible width of an NVLink bond from the boards at its ends.
void complete_from_boards(Machine& machine, Link& link, const Catalogue& catalogue);

}  // namespace railgauge::model
