// A variable as the job has it: of several settings the last one said counts.
#pragma once

#include <string_view>

#include "model/machine.h"

namespace railgauge::judge {

// nullptr when nobody set it.
const model::Variable* variable(const model::Machine& machine, std::string_view name);

}  // namespace railgauge::judge
