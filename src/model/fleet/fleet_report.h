// What is said of many machines: groups of one shape, and properties that some do not share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/compare/compare.h"

namespace railgauge::model {

struct FleetGroup {
  std::vector<std::string> machines;        // names, in the order they came
  std::size_t example = 0;                  // number of the first one
  std::optional<std::size_t> differs_from;  // into groups; the nearest larger one of its model
  std::vector<Difference> differences;      // from that one, folded
  std::vector<std::string> words;           // the same, short: "gpu3 gone"
  std::vector<std::size_t> numbers;         // of the machines, as add() returned them
  std::vector<std::string> inputs;          // what they were read from, where the caller knows
  std::size_t model = 0;                    // into models
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
  std::size_t model = 0;      // into models; only machines of one model are compared
};

struct FleetReport {
  std::size_t machines = 0;
  std::vector<FleetGroup> groups;
  std::vector<std::string> models;  // "8× NVIDIA H100 80GB HBM3 (DGXH100)"; most machines first
  std::vector<OddProperty> odd;
  std::size_t odd_not_listed = 0;  // properties beyond the most that are listed
};

}  // namespace railgauge::model
