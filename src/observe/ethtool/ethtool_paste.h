// Pasted output of ethtool: `ethtool -S eth0` (whole, or some lines of it), `ethtool -i eth0`,
// `ethtool -a eth0`. The network device is named by the command line when that was pasted too, and
// by the header of -a; else the adapter has no name but the input's.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_ethtool_statistics(std::string_view bytes);
Result<model::Machine> read_ethtool_statistics(const Input& input);

bool looks_like_ethtool_driver(std::string_view bytes);
Result<model::Machine> read_ethtool_driver(const Input& input);

bool looks_like_ethtool_pause(std::string_view bytes);
Result<model::Machine> read_ethtool_pause(const Input& input);

}  // namespace railgauge::observe
