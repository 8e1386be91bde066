// Small texts of /sys/devices/system.
#pragma once

#include <optional>
#include <string_view>

namespace railgauge::observe {

// "node12" is 12.
std::optional<int> node_number(std::string_view name);

// "48-95,144-191" is 48; an empty list has none.
std::optional<int> first_cpu(std::string_view cpulist);

}  // namespace railgauge::observe
