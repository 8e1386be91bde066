// Many machines, grouped by shape: which are alike, and what makes the others odd.
//   Fleet fleet;
//   for (…) fleet.add(machine);             // one at a time; keeps numbers, not machines
//   FleetReport report = fleet.report(again);
// `again` gives a machine once more, by the number add() returned, since only a few of each group
// are looked at closely. Groups come largest first. Pure but for what `again` does.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "model/compare/compare.h"
#include "model/fleet/properties.h"

namespace railgauge::model {

struct FleetGroup {
  std::vector<std::string> machines;        // names, in the order they came
  std::size_t example = 0;                  // number of the first one
  std::optional<std::size_t> differs_from;  // into groups; the nearest larger one
  std::vector<Difference> differences;      // from that one, folded
  std::vector<std::string> words;           // the same, short: "gpu3 gone"
};

// One value of a property that most machines do not have.
struct OddValue {
  std::string value;  // "not there" for a device or setting that is missing
  std::vector<std::string> machines;
};

struct OddProperty {
  Topic topic = Topic::inventory;
  std::string subject;  // "mlx5_0", "gpu0, gpu1 and 6 more"
  std::string key;
  std::string usual;  // what most have
  std::size_t usual_count = 0;
  std::vector<OddValue> odd;  // most machines first
};

struct FleetReport {
  std::size_t machines = 0;
  std::vector<FleetGroup> groups;
  std::vector<OddProperty> odd;
  std::size_t odd_not_listed = 0;  // properties beyond the most that are listed
};

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

  Properties properties_;
  std::vector<std::string> names_;
  std::unordered_map<Shape, std::vector<std::size_t>, ShapeHash> shapes_;  // to machine numbers
};

}  // namespace railgauge::model
