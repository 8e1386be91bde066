// The tags and attributes that NCCL and RCCL know in a topology file, and the remarks about others.
// NCCL ignores what it does not know without a message, so a typo here costs bandwidth unseen.
#pragma once

#include "observe/nccl_xml/nccl_context.h"

namespace railgauge::observe {

// A warning for each attribute of this element that its tag does not have, and for the element
// itself where its tag is unknown or stands inside the wrong parent. True when the tag is known.
bool check_vocabulary(NcclContext& context, pugi::xml_node node);

}  // namespace railgauge::observe
