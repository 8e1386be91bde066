#include "judge/rules/variable.h"

#include <algorithm>

namespace railgauge::judge {

const model::Variable* variable(const model::Machine& machine, std::string_view name) {
  const auto at = std::find_if(machine.variables.rbegin(), machine.variables.rend(),
                               [name](const model::Variable& one) { return one.name == name; });
  return at == machine.variables.rend() ? nullptr : &*at;
}

}  // namespace railgauge::judge
