// result of `diff --json`.
#include "present/diff.h"
#include "present/json/difference_json.h"

namespace railgauge::present {
namespace {

Json side_json(const model::Machine& machine) {
  Json out{{"name", clean(machine.name)}};
  const auto& taken = machine.taken;
  out["made_at"] = taken && !taken->made_at.empty() ? Json(clean(taken->made_at)) : Json(nullptr);
  out["as_root"] = taken ? Json(taken->as_root) : Json(nullptr);
  return out;
}

}  // namespace

std::string diff_json(const DiffView& view) {
  const model::Comparison& comparison = view.comparison;
  Json out;
  out["same"] = comparison.differences.empty();
  out["before"] = side_json(view.before);
  out["after"] = side_json(view.after);
  put(out, "seconds_between", comparison.seconds_between);
  out["rebooted"] = comparison.rebooted;
  out["different_machines"] = comparison.different_machines.empty()
                                  ? Json(nullptr)
                                  : Json(clean(comparison.different_machines));
  out["compared"] = comparison.different_sources ? Json(clean(comparison.compared)) : Json(nullptr);
  out["differences"] = Json::array();
  for (const model::Difference& one : comparison.differences)
    out["differences"].push_back(difference_json(one, &view.before.sources, &view.after.sources));
  out["ignored"] = view.left_out.size();
  out["not_compared"] = Json::array();
  for (const model::NotCompared& one : comparison.not_compared)
    out["not_compared"].push_back({{"what", clean(one.what)}, {"why", clean(one.why)}});
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace railgauge::present
