// The one JSON document that --json prints: who made it, when, from what, and the result or the
// error.
#pragma once

#include <string>
#include <vector>

#include "apps/railgauge/verb.h"
#include "base/error.h"

namespace railgauge::app {

// `result_json` is a JSON value already rendered by present; `warnings` are plain sentences.
std::string envelope(const std::string& schema, const Arguments& arguments,
                     const std::vector<std::string>& warnings, const std::string& result_json);

std::string error_envelope(const std::string& schema, const Arguments& arguments,
                           const Error& error);

}  // namespace railgauge::app
