// Many machines, grouped by shape: which are alike, and what makes the others odd.
//   Fleet fleet;
//   for (…) fleet.add(machine);             // one at a time; keeps numbers, not machines
//   FleetReport report = fleet.report(again);
// `again` gives a machine once more, by the number add() returned, since only a few of each group
// are looked at closely. Groups come by model (GPUs and
// product), the largest first. Pure but for what `again` does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "model/compare/compare.h"
#include "model/compare/machine_model.h"
#include "model/fleet/error_counters.h"
#include "model/fleet/fleet_report.h"
#include "model/fleet/properties.h"

namespace railgauge::model {

class Fleet {
 public:
  using Again = std::function<Result<Machine>(std::size_t number)>;

  struct Added {
    std::size_t number = 0;
    bool new_shape = false;
  };
  Added add(const Machine& machine);

  std::size_t size() const { return names_.size(); }
  FleetReport report(const Again& again) const;

  // The most groups that are compared closely, and the most odd properties that are listed.
  static constexpr std::size_t explained_groups = 50;
  static constexpr std::size_t listed_properties = 50;

 private:
  using Shape = std::vector<std::uint32_t>;  // property numbers, sorted
  struct ShapeHash {
    std::size_t operator()(const Shape& shape) const;
  };

  using ByShape = std::unordered_map<Shape, std::vector<std::size_t>, ShapeHash>;
  struct OneModel {
    MachineModel model;
    ByShape shapes;  // to machine numbers
    std::vector<std::size_t> members;
  };
  OneModel& model_for(const Machine& machine);
  void add_groups(FleetReport& report, std::size_t model, const OneModel& one,
                  const Again& again) const;

  Properties properties_;
  ErrorCounters counters_;
  std::vector<std::string> names_;
  std::vector<OneModel> models_;
};

}  // namespace railgauge::model
