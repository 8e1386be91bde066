// What is odd in an NCCL topology file as a whole, after it was read: affinity masks that overlap,
// more NVLinks than a GPU has, too many elements for NCCL's own parser, a version nobody wrote.
#pragma once

#include "observe/nccl_xml/nccl_context.h"

namespace railgauge::observe {

void lint_nccl_topo(NcclContext& context);

}  // namespace railgauge::observe
