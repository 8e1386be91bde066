// Causes take in what they explain, as the rules say (Rule::explains).
//   fold(machine, findings);
#pragma once

#include <vector>

#include "model/finding.h"
#include "model/machine.h"

namespace railgauge::judge {

// Moves consequences into their causes. Nothing is lost: a consequence of a consequence stays with
// it; of two causes the heavier one takes it.
void fold(const model::Machine& machine, std::vector<model::Finding>& findings);

}  // namespace railgauge::judge
