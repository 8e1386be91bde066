// A number that only grows, read once or several times. One reading says little (it counts since
// the driver was loaded, or since somebody cleared it); two readings with a time between say how
// fast it grows now.
//   counters["RxErr"].value.claim(3, here);
//   counters["RxErr"].later.push_back({10.0, 5});
//   counters["RxErr"].per_second()      // 0.2
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/reading.h"
#include "model/fact.h"

namespace railgauge::model {

struct LaterSample {
  double after_seconds = 0;  // since the first reading
  std::uint64_t value = 0;
  friend bool operator==(const LaterSample&, const LaterSample&) = default;
};

struct Counter {
  Fact<std::uint64_t> value;       // the first reading
  std::vector<LaterSample> later;  // further ones, in the order of time

  // Growth from the first reading to the last one. Unknown with one reading, and when the counter
  // went back: it was cleared in between.
  Reading<std::uint64_t> growth() const;
  Reading<double> per_second() const;

  friend bool operator==(const Counter&, const Counter&) = default;
};

using Counters = std::map<std::string, Counter, std::less<>>;

}  // namespace railgauge::model
