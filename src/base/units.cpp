#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace railgauge {
namespace {

// At most three significant digits, without trailing zeros.
std::string short_number(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  std::string out = fmt::format("{:.{}f}", value, decimals);
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out;
}

}  // namespace

std::string text(BytesPerSecond rate) {
  if (rate.value >= 1e9) return short_number(rate.value / 1e9) + " GB/s";
  if (rate.value >= 1e6) return short_number(rate.value / 1e6) + " MB/s";
  return short_number(rate.value / 1e3) + " kB/s";
}

std::string text_of_bytes(std::uint64_t bytes) {
  static constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return short_number(value) + " " + units[unit];
}

}  // namespace railgauge
