// Our own YAML tables of advice, one reader each. An error names file and line. Used by advice.cpp
// and its test.
#pragma once

#include <string>

#include "base/result.h"
#include "model/advice.h"

namespace railgauge::observe {

Result<void> add_variables(const std::string& text, const std::string& file, model::Advice& out);
Result<void> add_xids(const std::string& text, const std::string& file, model::Advice& out);
Result<void> add_bad_pairs(const std::string& text, const std::string& file, model::Advice& out);

}  // namespace railgauge::observe
