// refused.json: why a path of a recording has no contents. One object, path to reason:
//   { "sys/bus/pci/devices/0000:17:00.0/config": "Permission denied" }
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace railgauge::observe {

using RefusedPaths = std::map<std::string, std::string>;

Result<RefusedPaths> parse_refused(std::string_view json);
std::string refused_json(const RefusedPaths& refused);

}  // namespace railgauge::observe
