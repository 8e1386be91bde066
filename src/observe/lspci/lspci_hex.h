// lspci -x, -xxx, -xxxx: configuration space in hex, with or without the text lines above it.
// The bytes are decoded by the same code that reads sysfs `config`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_lspci_hex(std::string_view bytes);
Result<model::Machine> read_lspci_hex(const Input& input);

}  // namespace railgauge::observe
