// Which properties are not the same everywhere, and who is odd in them. For the files of this
// folder only.
#pragma once

#include <span>
#include <vector>

#include "model/fleet/fleet_report.h"
#include "model/fleet/properties.h"

namespace railgauge::model {

struct ShapeMembers {
  const std::vector<std::uint32_t>* shape;  // property numbers
  const std::vector<std::size_t>* members;  // machine numbers
};

// Machines that have each property, by property number.
std::vector<std::size_t> property_counts(const Properties& properties,
                                         std::span<const ShapeMembers> shapes);

// Every property that some machines do not share, the rarest first; those that say the same of
// several subjects as one. `members` are the machines of all shapes, sorted.
std::vector<OddProperty> odd_properties(const Properties& properties,
                                        const std::vector<std::string>& names,
                                        const std::vector<std::size_t>& members,
                                        std::span<const ShapeMembers> shapes);

}  // namespace railgauge::model
