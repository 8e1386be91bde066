// The texts of a port's files.
#pragma once

#include <string>
#include <string_view>

#include "base/reading.h"
#include "base/units.h"

namespace railgauge::observe {

// "4: ACTIVE" is ACTIVE.
Reading<std::string> port_state(std::string_view text);

// "400 Gb/sec (4X NDR)" is 50 GB/s, one direction.
Reading<BytesPerSecond> port_rate(std::string_view text);

// A network device's speed in Mb/s; -1, and 4294967295 as older kernels print it, are not speeds.
Reading<BytesPerSecond> net_speed(std::string_view text);

}  // namespace railgauge::observe
