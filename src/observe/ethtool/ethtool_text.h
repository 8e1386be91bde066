// The texts of `ethtool -i` and `ethtool -a`, line by line, into facts. Pasted texts and recordings
// are read by the same lines.
#pragma once

#include <string_view>

#include "model/machine.h"

namespace railgauge::observe {

// "driver: mlx5_core", "version: 6.8.0", "firmware-version: 28.39.1002 (MT_0000000838)" (the
// board's id in brackets is mlx5's), "bus-info: 0000:18:00.0". False when it is no such line.
bool take_driver_line(std::string_view line, model::SourceRef here, model::Device& device);

// "RX:		on", "TX:		off". False when it is no such line; `warning` says what
// does not parse.
bool take_pause_line(std::string_view line, model::SourceRef here, model::NicPort& port,
                     std::string& warning);

// "Pause parameters for eth0:" is eth0.
std::string_view pause_header(std::string_view line);

}  // namespace railgauge::observe
