// Derives what follows from the facts of a joined machine:
//   1. ids ("gpu0", "mlx5_3", "numa1"), unique and stable for the same facts;
//   2. the missing upper tree: NUMA nodes and packages from numa_node, affinity and CPU facts;
//   where only a
//      matrix is known, host bridges and switches inferred from its classes (marked inferred);
//   3. links: PCIe along the tree, NVLink/xGMI bonds from ports or NV# cells, sockets;
//   4. rates, nominal and as found, from the catalogue; an unknown one says why ("NV4 has no
//   generation");
//   5. remarks: links below what both ends can do, disputed facts, matrix cells that contradict the
//   tree.
// Idempotent: settling twice changes nothing. Never fails; what does not fit becomes a remark.
#pragma once

#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::model {

void settle(Machine& machine, const Catalogue& catalogue);

}  // namespace railgauge::model
