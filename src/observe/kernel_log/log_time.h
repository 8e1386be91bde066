// The times that loggers write before a line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railgauge::observe {

struct LogTime {
  std::string wall_time;     // RFC 3339, or the log's words where it has no year
  double clock_seconds = 0;  // since 1970 in UTC; since the start of a year where there is none
  std::size_t length = 0;    // bytes it took
};

// "2025-01-21T04:41:44,285060+00:00", also with a blank for T, without fraction, without zone.
std::optional<LogTime> iso_time(std::string_view text);
// "Feb 23 16:24:18", "Feb  3 16:24:18.123456"
std::optional<LogTime> syslog_time(std::string_view text);
// "Sun Feb 23 16:24:18 2025"
std::optional<LogTime> ctime_time(std::string_view text);

}  // namespace railgauge::observe
