// For tests: everything a topology file can say about a machine as text, without sources and lines,
// so that what was read before writing and after can be compared.
#pragma once

#include <string>

#include "model/machine.h"

namespace railgauge::present {

std::string described(const model::Machine& machine);

}  // namespace railgauge::present
