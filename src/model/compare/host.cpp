// Facts of the host: kernel, driver, firmware, settings, limits. Kernel arguments are compared one
// by one.
#include <algorithm>
#include <map>

#include "model/compare/sides.h"
#include "model/field_lists.h"

namespace railgauge::model::comparing {
namespace {

const std::string host = "host";

// "BIOS changed from 1.2 (03/01/2024) to 1.4 (09/12/2024)": version and date are one thing.
bool compare_bios(Sides& sides) {
  const HostFacts& was = sides.before.host;
  const HostFacts& is = sides.after.host;
  const auto verdict = sides.evidence.judge(was.bios_version, is.bios_version);
  if (verdict.before == nullptr || verdict.after == nullptr) return false;
  Difference out = fact_difference(host, "bios_version", Topic::firmware, verdict);
  const auto dated = [](const std::string& version, const Fact<std::string>& date) {
    return date ? version + " (" + *date + ")" : version;
  };
  out.text = "BIOS changed from " + dated(out.before, was.bios_date) + " to " +
             dated(out.after, is.bios_date);
  sides.say(std::move(out));
  return true;
}

using ByName = std::map<std::string, std::vector<std::string>>;

ByName by_name(const std::vector<std::string>& arguments) {
  ByName out;
  for (const std::string& argument : arguments)
    out[argument.substr(0, argument.find('='))].push_back(argument);
  return out;
}

void say_argument(Sides& sides, Change change, const std::string& before, const std::string& after,
                  const Verdict<std::vector<std::string>>& verdict) {
  Difference out;
  out.topic = Topic::settings;
  out.kind = change;
  out.subject = host;
  out.key = "kernel_arguments";
  out.before = before;
  out.after = after;
  if (verdict.before) out.before_source = verdict.before->source;
  if (verdict.after) out.after_source = verdict.after->source;
  out.weight = weight_slower;
  if (change == Change::changed)
    out.text = "kernel argument changed from " + before + " to " + after;
  else
    out.text = "kernel argument " + before + after + " was " +
               (change == Change::gone ? "removed" : "added");
  sides.say(std::move(out));
}

void compare_kernel_arguments(Sides& sides) {
  const auto verdict =
      sides.evidence.judge(sides.before.host.kernel_arguments, sides.after.host.kernel_arguments);
  if (!verdict.differs()) return;
  ByName was = by_name(verdict.before ? verdict.before->value : std::vector<std::string>());
  ByName is = by_name(verdict.after ? verdict.after->value : std::vector<std::string>());
  for (auto& [name, before] : was) {
    auto& after = is[name];
    std::erase_if(before, [&after = after](const std::string& one) {
      const auto same = std::find(after.begin(), after.end(), one);
      if (same == after.end()) return false;
      after.erase(same);
      return true;
    });
    if (before.size() == 1 && after.size() == 1) {
      say_argument(sides, Change::changed, before.front(), after.front(), verdict);
      after.clear();
      continue;
    }
    for (const std::string& one : before) say_argument(sides, Change::gone, one, "", verdict);
  }
  for (const auto& [name, after] : is)
    for (const std::string& one : after) say_argument(sides, Change::added, "", one, verdict);
}

int weight_of(std::string_view key) {
  if (key == "kernel" || key == "driver" || key == "iommu") return weight_lost;
  return weight_setting;
}

}  // namespace

void compare_host(Sides& sides) {
  const bool bios = compare_bios(sides);
  each_field<HostFacts>([&](const auto& field) {
    const std::string_view key = field.key;
    if (field.topic == Topic::identity || key == "kernel_arguments") return;
    if (bios && (key == "bios_version" || key == "bios_date")) return;
    const auto verdict =
        sides.evidence.judge(sides.before.host.*field.member, sides.after.host.*field.member);
    if (!verdict.differs()) return;
    Difference out = fact_difference(host, key, field.topic, verdict);
    out.weight = weight_of(key);
    sides.say(std::move(out));
  });
  compare_kernel_arguments(sides);
}

}  // namespace railgauge::model::comparing
