// JSON of unknown origin: bounded in size and depth, errors as values. For .cpp files only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace railgauge::observe {

// `name` opens every message: "manifest.json: line 3, column 7: …".
Result<nlohmann::json> parse_bounded_json(std::string_view text, const std::string& name,
                                          std::size_t longest_bytes);

}  // namespace railgauge::observe
