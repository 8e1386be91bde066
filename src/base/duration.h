// Times as people write them: "10s", "250ms", "2m", "1h", "90" (seconds).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge {

// Nothing for anything else, for negative ones, and above a year.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// "10 s", "250 ms", "2 min 30 s", "3 h", "4 days 6 h": two units at the most.
std::string text_of_duration(std::chrono::milliseconds duration);

}  // namespace railgauge
