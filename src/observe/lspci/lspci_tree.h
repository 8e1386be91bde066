// lspci -t, -tv, -tvnn: the tree of buses drawn in ASCII. It states addresses and bus numbers, with
// -v names, with -nn ids; never classes, so kinds come from the names where these are explicit.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_lspci_tree(std::string_view bytes);
Result<model::Machine> read_lspci_tree(const Input& input);

}  // namespace railgauge::observe
