#include "model/power.h"

#include "base/strings.h"

namespace railgauge::model {

bool saves_power(const Device& device) {
  if (!device.gpu || !device.gpu->p_state) return false;
  const auto& state = *device.gpu->p_state;
  if (state.size() < 2) return false;
  const auto number = parse_int(std::string_view(state).substr(1));
  return number && *number > 2;
}

}  // namespace railgauge::model
