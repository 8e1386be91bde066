// Quantities that must not be mixed up, and how people read them.
// Rates are GB/s = 10^9 bytes per second, one direction, as NCCL prints; sizes are KiB/MiB/GiB.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace railgauge {

struct BytesPerSecond {
  double value = 0;
  friend auto operator<=>(const BytesPerSecond&, const BytesPerSecond&) = default;
};

inline BytesPerSecond operator+(BytesPerSecond a, BytesPerSecond b) { return {a.value + b.value}; }
inline BytesPerSecond operator*(BytesPerSecond a, double factor) { return {a.value * factor}; }

constexpr BytesPerSecond gigabytes_per_second(double value) { return {value * 1e9}; }
constexpr BytesPerSecond gigabits_per_second(double value) { return {value * 1e9 / 8}; }

// Three significant digits at the most: "63 GB/s", "31.5 GB/s", "984 MB/s".
std::string text(BytesPerSecond rate);

// "64 MiB", "1.5 GiB", "512 B".
std::string text_of_bytes(std::uint64_t bytes);

}  // namespace railgauge
