// The links of an NCCL topology file: <nvlink>, <xgmi> and <c2c> inside each <gpu>.
#pragma once

#include "observe/nccl_xml/nccl_context.h"

namespace railgauge::observe {

// Both directions of a pair become one Link whose width is disputed where the counts differ. Links
// to a switch that the file does not list create it. A link of a GPU to itself, and one whose
// target is nowhere in the file, stay attributes of the GPU: they join nothing.
void read_nccl_links(NcclContext& context);

}  // namespace railgauge::observe
