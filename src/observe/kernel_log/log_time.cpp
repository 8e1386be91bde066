#include "observe/kernel_log/log_time.h"

#include <fmt/format.h>

#include <array>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A number of exactly `width` digits at `at`; blanks may stand for leading zeros.
std::optional<int> number_at(std::string_view text, std::size_t at, std::size_t width) {
  if (at + width > text.size()) return std::nullopt;
  const std::string_view field = trim(text.substr(at, width));
  if (!digits(field)) return std::nullopt;
  return static_cast<int>(*parse_int(field));
}

// Days since 1970-01-01 of the Gregorian calendar, for years from 0 on: counted from March, so that
// the leap day comes last.
double days_since_1970(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 + 400 : year + 400;
  const int m = (month + 9) % 12;
  const int days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
  return days - 719468 - 146097;
}

// "16:24:18" and a fraction; bytes taken, or 0.
struct Clock {
  double seconds = 0;
  std::string fraction;  // ".285060", or empty
  std::size_t length = 0;
};
std::optional<Clock> clock_at(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hour = number_at(text, 0, 2);
  const auto minute = number_at(text, 3, 2);
  const auto second = number_at(text, 6, 2);
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  Clock out{*hour * 3600.0 + *minute * 60.0 + *second, "", 8};
  if (text.size() > 9 && (text[8] == '.' || text[8] == ',')) {
    std::size_t end = 9;
    while (end < text.size() && end < 18 && text[end] >= '0' && text[end] <= '9') ++end;
    if (end > 9) {
      out.fraction = "." + std::string(text.substr(9, end - 9));
      out.seconds += parse_double("0" + out.fraction).value_or(0);
      out.length = end;
    }
  }
  return out;
}

std::optional<int> month_at(std::string_view text) {
  for (std::size_t i = 0; i < months.size(); ++i)
    if (text.substr(0, 3) == months[i]) return static_cast<int>(i) + 1;
  return std::nullopt;
}

// "Z", "+00:00", "+0000", "-07": minutes east, as RFC 3339 writes it, and bytes taken.
struct Zone {
  int minutes = 0;
  std::string text = "Z";
  std::size_t length = 0;
};
Zone zone_at(std::string_view text) {
  if (text.substr(0, 1) == "Z") return {0, "Z", 1};
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return {};
  const auto hours = number_at(text, 1, 2);
  if (!hours) return {};
  const std::size_t colon = text.size() > 3 && text[3] == ':' ? 1 : 0;
  const auto minutes = number_at(text, 3 + colon, 2);
  Zone out;
  out.minutes = (*hours * 60 + minutes.value_or(0)) * (text[0] == '-' ? -1 : 1);
  out.text = fmt::format("{}{:02}:{:02}", text[0], *hours, minutes.value_or(0));
  out.length = minutes ? 5 + colon : 3;
  return out;
}

}  // namespace

std::optional<LogTime> iso_time(std::string_view text) {
  if (text.size() < 19 || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' '))
    return std::nullopt;
  const auto year = number_at(text, 0, 4);
  const auto month = number_at(text, 5, 2);
  const auto day = number_at(text, 8, 2);
  const auto clock = clock_at(text.substr(11));
  if (!year || !month || !day || !clock || *month < 1 || *month > 12 || *day < 1 || *day > 31)
    return std::nullopt;
  const Zone zone = zone_at(text.substr(11 + clock->length));
  LogTime out;
  out.wall_time =
      fmt::format("{}T{}{}{}", text.substr(0, 10), text.substr(11, 8), clock->fraction, zone.text);
  out.clock_seconds =
      days_since_1970(*year, *month, *day) * 86400 + clock->seconds - zone.minutes * 60.0;
  out.length = 11 + clock->length + zone.length;
  return out;
}

std::optional<LogTime> syslog_time(std::string_view text) {
  const auto month = month_at(text);
  if (!month || text.size() < 15 || text[3] != ' ' || text[6] != ' ') return std::nullopt;
  const auto day = number_at(text, 4, 2);
  const auto clock = clock_at(text.substr(7));
  if (!day || !clock) return std::nullopt;
  LogTime out;
  out.length = 7 + clock->length;
  out.wall_time = std::string(text.substr(0, out.length));
  constexpr int leap_year = 1972;  // so that 29 February has a place
  out.clock_seconds = days_since_1970(leap_year, *month, *day) * 86400 + clock->seconds;
  return out;
}

std::optional<LogTime> ctime_time(std::string_view text) {
  if (text.size() < 24 || text[3] != ' ' || text[19] != ' ') return std::nullopt;
  const auto month = month_at(text.substr(4));
  const auto day = number_at(text, 8, 2);
  const auto clock = clock_at(text.substr(11));
  const auto year = number_at(text, 20, 4);
  if (!month || !day || !clock || clock->length != 8 || !year) return std::nullopt;
  LogTime out;
  out.length = 24;
  out.wall_time = fmt::format("{:04}-{:02}-{:02}T{}Z", *year, *month, *day, text.substr(11, 8));
  out.clock_seconds = days_since_1970(*year, *month, *day) * 86400 + clock->seconds;
  return out;
}

}  // namespace railgauge::observe
