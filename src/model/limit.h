// A bound that a system sets: so many bytes or handles, or none at all ("unlimited").
#pragma once

#include <cstdint>
#include <optional>

namespace railgauge::model {

struct Limit {
  std::optional<std::uint64_t> most;  // nothing: unlimited
  bool unlimited() const { return !most; }
  friend bool operator==(const Limit&, const Limit&) = default;
};

}  // namespace railgauge::model
