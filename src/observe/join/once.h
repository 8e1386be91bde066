// Whether a part says everything once, so that it can be taken as it is where it would otherwise be
// merged into nothing. Used by join.cpp only.
#pragma once

#include "model/machine.h"

namespace railgauge::observe {

// No two modules of one name, interrupts, ports or rows of one number, no attribute twice. Links,
// pairs and logs are merged by more rules than these: a part that has any is answered false.
bool says_everything_once(const model::Machine& part);

// The parts that Machine::add() gives a device of this kind.
void add_parts_of_kind(model::Device& device);

}  // namespace railgauge::observe
