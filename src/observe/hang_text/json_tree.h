// JSON as a ValueTree: bounded in values and depth, errors as values.
//   for (std::string_view object : json_objects(text)) Result<ValueTree> tree =
//   read_json_tree(name, object);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "observe/hang_text/value_tree.h"

namespace railgauge::observe {

// The objects that stand in a text, each from a '{' that begins a line (after blanks) to its end;
// at most 64. What stands between them, prompts and answers of a protocol, is passed over.
std::vector<std::string_view> json_objects(std::string_view text);

Result<ValueTree> read_json_tree(const std::string& name, std::string_view text);

}  // namespace railgauge::observe
