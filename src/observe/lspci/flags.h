// lspci's flag lists: "DLP- SDES+ TLP-".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railgauge::observe {

// True for "name+", false for "name-", nothing when the name is not in the list.
std::optional<bool> flag(std::string_view flags, std::string_view name);

// The names that are set: "SDES RxOF"; "none" when all are clear.
std::string set_flags(std::string_view flags);

}  // namespace railgauge::observe
