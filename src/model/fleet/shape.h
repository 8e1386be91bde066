// What machines of one kind have in common: every stated fact but identities, counters and what
// changes from second to second. Two machines have one shape when all of these are equal.
//   shape_of(machine, [&](const Property& property) { … });
// PCI addresses belong to a shape, and kinds of serious kernel messages; addresses in a network,
// host names and what a launcher sets do not. The speed of an idle GPU's link counts as its
// fastest.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "model/fields.h"
#include "model/machine.h"

namespace railgauge::model {

struct Property {
  Topic topic;
  std::string_view subject;  // the same device in every machine: its address, else its id
  std::string_view label;    // what this machine calls it: "gpu3", "mlx5_0 port 1", "host"
  std::string_view key;
  std::string_view value;  // words with units
};

void shape_of(const Machine& machine, const std::function<void(const Property&)>& visit);

// What the kernel logged as nonfatal or fatal, by kind and code and neither by device nor by
// number: "Xid 79". The same fault on another GPU is no other shape.
std::set<std::string> serious_events(const Machine& machine);

// Whether a difference of these counts between two machines that should be alike.
bool belongs_to_shape(Topic topic, std::string_view key);

}  // namespace railgauge::model
