// railgauge.yaml: what a site knows of its machines and accepts, until a date.
//   suppressions:
//     - id: PCI012                 # a rule's id or name
//       subject: "gpu2*"           # '*' and '?'; absent: any subject
//       reason: riser is on order
//       until: 2027-01-31          # the last day it holds
// Anything else in the file is an error that names its line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "judge/findings.h"

namespace railgauge::app {

inline constexpr const char* default_config = "railgauge.yaml";

Result<std::vector<judge::Suppression>> parse_config(const std::string& text,
                                                     const std::string& file);

}  // namespace railgauge::app
