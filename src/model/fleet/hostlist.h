// Names of machines as people who run many of them write these.
//   hostlist({"node001", "node002", "node003", "node007"})   // "node[001-003,007]"
// Names are folded over their last number; "a7" and "a07" stay apart.
#pragma once

#include <string>
#include <vector>

namespace railgauge::model {

std::string hostlist(const std::vector<std::string>& names);

}  // namespace railgauge::model
