// A difference between machines of a fleet in few words and without a time: nothing happened, they
// are just not alike.
//   fleet_words(difference, whose)      // "mlx5_4 firmware 28.36 (others 28.39)"
#pragma once

#include <string>

#include "model/compare/compare.h"

namespace railgauge::model {

// `whose`: "others", or "group 2" where the other side is a few machines.
std::string fleet_words(const Difference& one, const std::string& whose);

}  // namespace railgauge::model
