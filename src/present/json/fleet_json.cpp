// result.groups and result.odd of `see --json` on many machines.
#include "present/fleet.h"
#include "present/json/difference_json.h"

namespace railgauge::present {
namespace {

Json names(const std::vector<std::string>& machines) {
  Json out = Json::array();
  for (const std::string& name : machines) out.push_back(clean(name));
  return out;
}

std::string summary(const model::FleetGroup& group) {
  if (!group.differs_from) return "the largest group of its model";
  std::string out;
  for (const std::string& words : group.words) out += (out.empty() ? "" : "; ") + words;
  return clean(out);
}

Json group_json(const model::FleetReport& report, std::size_t position) {
  const model::FleetGroup& group = report.groups[position];
  Json out{{"count", group.machines.size()},
           {"machines", names(group.machines)},
           {"inputs", names(group.inputs)},
           {"model", clean(report.models[group.model])}};
  const bool first = position == 0 || report.groups[position - 1].model != group.model;
  const bool explained = first || group.differs_from;
  out["summary"] = explained ? Json(summary(group)) : Json(nullptr);
  if (!explained) out["summary_reason"] = "only the largest groups are compared";
  out["differs_from"] = group.differs_from ? Json(*group.differs_from) : Json(nullptr);
  out["differences"] = Json::array();
  for (const model::Difference& one : group.differences)
    out["differences"].push_back(difference_json(one, nullptr, nullptr));
  return out;
}

Json odd_json(const std::string& model, const model::OddProperty& property) {
  Json out{{"model", model},
           {"topic", text(property.topic)},
           {"subject", clean(property.subject)},
           {"key", clean(property.key)},
           {"usual", clean(property.usual)},
           {"usual_count", property.usual_count},
           {"values", Json::array()}};
  for (const model::OddValue& odd : property.odd)
    out["values"].push_back({{"value", clean(odd.value)},
                             {"count", odd.machines.size()},
                             {"machines", names(odd.machines)}});
  return out;
}

}  // namespace

std::string fleet_json(const model::FleetReport& report) {
  Json out;
  out["machine_count"] = report.machines;
  out["groups"] = Json::array();
  for (std::size_t i = 0; i < report.groups.size(); ++i)
    out["groups"].push_back(group_json(report, i));
  out["odd"] = Json::array();
  for (const model::OddProperty& property : report.odd)
    out["odd"].push_back(odd_json(clean(report.models[property.model]), property));
  out["odd_not_listed"] = report.odd_not_listed;
  const std::string text = out.dump(2, ' ', false, Json::error_handler_t::replace);
  return text.substr(1, text.size() - 2);
}

}  // namespace railgauge::present
