// lspci -v, -vv, -vvv, with -nn, -k, -D or without: whole outputs, and excerpts of a few lines.
//   Result<model::Machine> machine = read_lspci({"lspci.txt", bytes});
// The tree comes from the bridges' bus numbers. What lspci hides without root is refused, not
// unknown in silence.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_lspci(std::string_view bytes);
Result<model::Machine> read_lspci(const Input& input);

}  // namespace railgauge::observe
