// Error counters of many machines, and those that are far from what the others have. They belong to
// no shape: every machine has had some error at some time.
//   ErrorCounters counters;
//   counters.add(number, machine);
//   counters.far_ones(members, names)    // "RxErr of gpu2": 0 on 59, 480 on node019
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/fleet/fleet_report.h"
#include "model/machine.h"

namespace railgauge::model {

class ErrorCounters {
 public:
  void add(std::size_t number, const Machine& machine);

  // Among `members` (machine numbers), at most `listed`, the largest first.
  std::vector<OddProperty> far_ones(const std::vector<std::size_t>& members,
                                    const std::vector<std::string>& names) const;

  static constexpr std::size_t listed = 12;

 private:
  struct Place {
    std::string subject;  // its address
    std::string label;    // what the first machine calls it
    std::string name;     // of the counter
    auto operator<=>(const Place& other) const {
      return std::tie(subject, name) <=> std::tie(other.subject, other.name);
    }
    bool operator==(const Place& other) const { return (*this <=> other) == 0; }
  };
  // By machine; those that stand at 0 are left out, and most do.
  std::map<Place, std::map<std::size_t, std::uint64_t>> grown_;
};

}  // namespace railgauge::model
