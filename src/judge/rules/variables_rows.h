// What the tables say of a name: the row itself, the row of a family ("NCCL_IBEXT_*",
// "UCX_*_GID_INDEX" for UCX_IB_GID_INDEX), or the names that are nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>

#include "model/advice.h"

namespace railgauge::judge {

const model::VariableRow* variable_row(const model::Advice& advice, std::string_view name);

// A known name a few slips away, or empty. Costs one look at every row.
std::string nearest_variable(const model::Advice& advice, std::string_view name);

// "NCCL", "UCX", "RCCL", "PyTorch": who would read a variable of this name; empty for others.
std::string_view library_of(std::string_view name);

}  // namespace railgauge::judge
