// The machines that `see` was given, taken one at a time: a thousand recordings are grouped while
// only one of them is held.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/railgauge/look.h"
#include "model/fleet/fleet.h"

namespace railgauge::app {

struct Seen {
  static constexpr std::size_t drawn_at_most = 4;

  std::size_t count = 0;
  std::vector<model::Machine> machines;  // the first ones
  std::vector<std::string> inputs;       // by machine: what reads it again, or empty
  std::vector<std::string> passed_over;
  std::vector<std::string> repeated;  // "node001 was recorded 2 times"
  std::vector<observe::SourceTime> times;
  bool each = false;  // --each: one by one instead of grouped
  std::optional<model::FleetReport> grouped;

  bool several() const { return count > 1; }
  const model::FleetReport& report() const { return *grouped; }  // only of several
};

Result<Seen> see_inputs(const std::vector<std::string>& inputs, const observe::Knowledge& knowledge,
                        const Arguments& arguments);

}  // namespace railgauge::app
