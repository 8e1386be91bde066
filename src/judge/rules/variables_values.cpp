// Values that are none, variables of another version, and names that are set to two things.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/characters.h"
#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_looks.h"
#include "judge/rules/variables_rows.h"
#include "judge/rules/variables_value.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr NcclVersion words_for_levels{2, 6, 0};

bool is_read_by(const VariableRow& row) {
  return row.status == VariableStatus::current || row.status == VariableStatus::deprecated;
}

// Before 2.6 a level was a number, and a word became 0: peer access off (nccl issue 332).
bool level_of_old_nccl(const Environment& environment, const EnvironmentSetting& setting) {
  return environment.nccl() && *environment.nccl() < words_for_levels &&
         (setting.name == "NCCL_P2P_LEVEL" || setting.name == "NCCL_NET_GDR_LEVEL") &&
         (setting.value == "0" || !is_digit(trim(setting.value).front()));
}

void old_level(const Patient& patient, Verdicts& out, const Environment& environment,
               const EnvironmentSetting& setting) {
  const bool p2p = setting.name == "NCCL_P2P_LEVEL";
  const bool word = setting.value != "0";
  Finding& finding =
      fail(out, patient, setting,
           word ? fmt::format("NCCL {} reads levels as numbers: {} becomes 0, which turns {} off",
                              environment.nccl_words(), quoted(setting.value),
                              p2p ? "peer access" : "GPUDirect RDMA")
                : fmt::format("NCCL {} reads levels as numbers, and read 0: a word such as NVL "
                              "becomes that, and turns {} off",
                              environment.nccl_words(), p2p ? "peer access" : "GPUDirect RDMA"));
  finding.severity = Severity::error;
  finding.weight = 82;
  finding.evidence.front().expected = "1 to 4, or NCCL 2.6 and a word";
  finding.impact.text = p2p ? "GPUs of a node talk through host memory, NVLink or not"
                            : "data for the network goes through host memory";
  finding.remedy = {
      {.text = "use NCCL 2.6 or later, which knows the words"},
      set_to(setting.name, p2p ? "1" : "2", "or write the old numbers: 1 PIX, 2 PXB, 3 PHB, 4 SYS"),
      take_away(patient, setting)};
}

}  // namespace

void look_value_invalid(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  for (const EnvironmentSetting& setting : environment.all()) {
    const VariableRow* row = variable_row(patient.advice, setting.name);
    if (row == nullptr || !is_read_by(*row) || row->form.empty()) continue;
    if (!setting.judged()) {
      if (!trim(setting.value).empty())
        out.unknown(setting.name, "what " + setting.value + " is on the machine",
                    "env | grep " + setting.name);
      continue;
    }
    const auto fault = value_fault(*row, setting.value, environment.nccl());
    if (!fault) {
      out.pass();
      continue;
    }
    Finding& finding = fail(out, patient, setting, fault->why);
    finding.evidence.front().expected = row->accepts;
    if (fault->stops_job) {
      finding.severity = Severity::error;
      finding.weight = 90;
      finding.impact.text = "initialisation fails with \"invalid usage\"";
    } else {
      finding.impact.text = "the setting is not what it says";
    }
    if (!fault->instead.empty())
      finding.remedy.push_back(set_to(setting.name, fault->instead, "if that was meant"));
    finding.remedy.push_back(take_away(patient, setting));
  }
}

void look_variable_for_other_version(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  bool version_matters = false;
  for (const EnvironmentSetting& setting : environment.all()) {
    const VariableRow* row = variable_row(patient.advice, setting.name);
    if (row == nullptr || row->library != "nccl" || !is_read_by(*row)) continue;
    if (setting.judged() && level_of_old_nccl(environment, setting)) {
      old_level(patient, out, environment, setting);
      continue;
    }
    const auto since = NcclVersion::parse(row->since);
    if (!since) continue;
    if (!environment.nccl()) {
      version_matters = true;
      continue;
    }
    if (*environment.nccl() >= *since) {
      out.pass();
      continue;
    }
    Finding& finding = fail(out, patient, setting,
                            fmt::format("{} is read from NCCL {} on, and this is {}", setting.name,
                                        row->since, environment.nccl_words()));
    finding.impact.text = "it does nothing";
    finding.remedy = {{.text = fmt::format("use NCCL {} or later", row->since)},
                      take_away(patient, setting)};
  }
  if (version_matters) out.unknown({}, Need::nccl_version);
}

void look_variable_set_twice(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::map<std::string_view, std::vector<const Variable*>> by_name;
  for (const Variable& one : machine.variables) {
    auto& list = by_name[one.name];
    const bool same = std::any_of(list.begin(), list.end(),
                                  [&](const Variable* other) { return other->value == one.value; });
    if (!same && list.size() < 8) list.push_back(&one);
  }
  for (const auto& [name, list] : by_name) {
    if (library_of(name).empty()) continue;
    if (list.size() < 2) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        std::string(name),
        fmt::format("set to {} and to {}", quoted(list[0]->value), quoted(list[1]->value)));
    for (const Variable* one : list)
      finding.evidence.push_back(evidence(machine, one->name, one->value, {}, one->source));
    finding.impact.text =
        "in one file the last line holds; the environment holds against nccl.conf; ranks that "
        "differ may not agree";
    finding.remedy = {{.text = "keep one of them"}};
  }
}

}  // namespace railgauge::judge
