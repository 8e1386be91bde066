#include "base/duration.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/strings.h"

namespace railgauge {
namespace {

struct Unit {
  std::string_view suffix;
  double milliseconds;
};
constexpr std::array<Unit, 6> units{
    {{"ms", 1}, {"min", 60e3}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}}};
constexpr double a_year = 366 * 86400e3;

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  text = trim(text);
  double factor = 1e3;
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.suffix)) continue;
    factor = unit.milliseconds;
    text = trim(text.substr(0, text.size() - unit.suffix.size()));
    break;
  }
  const auto number = parse_double(text);
  if (!number || !(*number >= 0) || *number * factor > a_year) return std::nullopt;
  return std::chrono::milliseconds(std::llround(*number * factor));
}

std::string text_of_duration(std::chrono::milliseconds duration) {
  const std::int64_t ms = duration.count();
  if (ms < 0) return "-" + text_of_duration(-duration);
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (ms < 60'000) return fmt::format("{:g} s", std::round(static_cast<double>(ms) / 100) / 10);
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> steps{
      {{86'400, "day"}, {3'600, "h"}, {60, "min"}, {1, "s"}}};
  const std::int64_t seconds = (ms + 500) / 1000;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    if (seconds < steps[i].first) continue;
    const std::int64_t whole = seconds / steps[i].first;
    const std::int64_t rest = seconds % steps[i].first / steps[i + 1].first;
    const char* plural = i == 0 && whole > 1 ? "s" : "";
    return rest == 0 ? fmt::format("{} {}{}", whole, steps[i].second, plural)
                     : fmt::format("{} {}{} {} {}", whole, steps[i].second, plural, rest,
                                   steps[i + 1].second);
  }
  return fmt::format("{} s", seconds);
}

}  // namespace railgauge
