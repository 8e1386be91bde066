#include "model/advice.h"

#include <algorithm>

namespace railgauge::model {
namespace {

const XidRow* find_code(const std::vector<XidRow>& rows, int code) {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [code](const XidRow& row) { return row.code == code; });
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

std::string_view text(VariableStatus status) {
  switch (status) {
    case VariableStatus::current: return "current";
    case VariableStatus::deprecated: return "deprecated";
    case VariableStatus::removed: return "removed";
    case VariableStatus::dead: return "dead";
    case VariableStatus::never: return "never";
    case VariableStatus::plugin: return "plugin";
  }
  return "current";
}

const VariableRow* Advice::variable(std::string_view name) const {
  const auto at =
      std::lower_bound(variables.begin(), variables.end(), name,
                       [](const VariableRow& row, std::string_view n) { return row.name < n; });
  return at != variables.end() && at->name == name ? &*at : nullptr;
}

const XidRow* Advice::xid(int code) const { return find_code(xids, code); }
const XidRow* Advice::sxid(int code) const { return find_code(sxids, code); }

}  // namespace railgauge::model
