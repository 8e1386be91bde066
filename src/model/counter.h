// A number that only grows, read once or several times. One reading says little (it counts since
// the driver was loaded, or since somebody cleared it); two readings with a time between say how
// fast it grows now.
//   counters["RxErr"].value.claim(3, here);
//   counters["RxErr"].later.push_back({10.0, 5});
//   counters["RxErr"].per_second()      // 0.2
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

// Counters by name, sorted. A map in one piece: a server has ten thousand counters, and they are
// made, visited and thrown away together. Adding a name moves those behind it.
class Counters {
 public:
  using Named = std::pair<std::string, Counter>;
  using iterator = std::vector<Named>::iterator;
  using const_iterator = std::vector<Named>::const_iterator;

  iterator begin() { return all_.begin(); }
  iterator end() { return all_.end(); }
  const_iterator begin() const { return all_.begin(); }
  const_iterator end() const { return all_.end(); }
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  void reserve(std::size_t count) { all_.reserve(count); }
  void clear() { all_.clear(); }

  const_iterator find(std::string_view name) const {
    const const_iterator at = std::lower_bound(begin(), end(), name, is_before);
    return at != end() && at->first == name ? at : end();
  }
  bool contains(std::string_view name) const { return find(name) != end(); }
  const Counter& at(std::string_view name) const { return all_.at(index_of(name)).second; }

  // The counter of this name, made where there is none. Valid until another is made.
  Counter& operator[](std::string_view name) {
    iterator at = end();
    if (!all_.empty() && !(all_.back().first < name))
      at = std::lower_bound(begin(), end(), name, is_before);
    if (at == end() || at->first != name) at = all_.emplace(at, std::string(name), Counter{});
    return at->second;
  }

  friend bool operator==(const Counters&, const Counters&) = default;

 private:
  static bool is_before(const Named& one, std::string_view wanted) { return one.first < wanted; }
  std::size_t index_of(std::string_view name) const {
    return static_cast<std::size_t>(find(name) - begin());
  }

  std::vector<Named> all_;
};

}  // namespace railgauge::model
