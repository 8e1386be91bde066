// Python's pickle, protocols 2 to 5, as far as it is data: None, bool, int, float, str, bytes,
// list, tuple, dict, set. A pickle is a program; what would import, call or build something
// (GLOBAL, REDUCE, BUILD …) is refused, with its name and offset. Nothing is ever run.
//   Result<ValueTree> tree = read_pickle("nccl_trace_rank_3", bytes);
// Tuples and sets become lists, bytes become texts, integers beyond 64 bits become numbers. Linear
// in time; at most ValueTree::most_nodes values and as many on the stack; no recursion.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "observe/hang_text/value_tree.h"

namespace railgauge::observe {

// By its first two bytes.
bool looks_like_pickle(std::string_view bytes);

Result<ValueTree> read_pickle(const std::string& name, std::string_view bytes);

}  // namespace railgauge::observe
