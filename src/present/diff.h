// What `diff` shows: two looks at a machine and what changed between them.
//   present::text_diff({before, after, comparison, left_out}, style)
#pragma once

#include <string>
#include <vector>

#include "model/compare/compare.h"
#include "present/present.h"

namespace railgauge::present {

struct DiffView {
  const model::Machine& before;
  const model::Machine& after;
  const model::Comparison& comparison;
  const std::vector<model::Difference>& left_out;  // differences that do not count
};
std::string text_diff(const DiffView& view, const Style& style);
std::string diff_json(
    const DiffView& view);  // the value of result; keys as in schema/diff.schema.json

}  // namespace railgauge::present
