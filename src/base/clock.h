// The time of day as documents write it.
#pragma once

#include <string>

namespace railgauge {

std::string utc_now();  // RFC 3339: "2026-11-29T13:00:00Z"

}  // namespace railgauge
