// Names: variables that nobody reads, or nobody reads any more.
#include <fmt/format.h>

#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_looks.h"
#include "judge/rules/variables_rows.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Looking for the nearest name costs a look at every row.
constexpr int most_suggestions = 50;

bool no_tables(const Patient& patient, Verdicts& out) {
  if (!patient.advice.variables.empty()) return false;
  out.unknown({}, "the tables of variables, which did not load", {});
  return true;
}

std::string with_note(std::string text, const VariableRow& row) {
  return row.note.empty() ? text : fmt::format("{}: {}", text, row.note);
}

RemedyStep rename(const EnvironmentSetting& setting, const std::string& name) {
  return {.text = fmt::format("write {} instead, if that was meant", name),
          .command = fmt::format("unset {}; export {}={}", setting.name, name, setting.value)};
}

void never_was(const Patient& patient, Verdicts& out, const EnvironmentSetting& setting,
               const VariableRow& row) {
  Finding& finding =
      fail(out, patient, setting,
           with_note(fmt::format("{} has no variable {}, and never had",
                                 row.library == "ucx" ? "UCX" : "NCCL", setting.name),
                     row));
  finding.impact.text = "it does nothing; what was wanted is not in effect";
  finding.remedy = {take_away(patient, setting)};
  if (!row.instead.empty())
    finding.remedy.push_back({.text = "what comes nearest is " + row.instead +
                                      (row.note.empty() ? "" : " (" + row.note + ")")});
}

void unknown_name(const Patient& patient, Verdicts& out, const EnvironmentSetting& setting,
                  int& suggestions) {
  const std::string_view library = library_of(setting.name);
  const std::string near = suggestions-- > 0 ? nearest_variable(patient.advice, setting.name) : "";
  Finding& finding = fail(
      out, patient, setting,
      near.empty()
          ? fmt::format("{} has no variable {} that we know of", library, setting.name)
          : fmt::format("{} has no variable {}; did you mean {}?", library, setting.name, near));
  if (near.empty()) {
    // A plugin, a newer release or a script may read it.
    finding.severity = Severity::note;
    finding.weight = 10;
  } else {
    finding.remedy = {rename(setting, near)};
    finding.evidence.front().expected = near;
  }
  finding.impact.text = "the library passes it over without a message";
  finding.remedy.push_back(take_away(patient, setting));
}

bool version_lacks(const Environment& environment, const VariableRow& row) {
  const auto removed = NcclVersion::parse(row.removed);
  return environment.nccl() && removed && *environment.nccl() < *removed;
}

void was_removed(const Patient& patient, Verdicts& out, const Environment& environment,
                 const EnvironmentSetting& setting, const VariableRow& row) {
  const bool ucx = row.library == "ucx";
  const bool sure = !ucx && environment.nccl().has_value();
  const std::string gone =
      ucx    ? fmt::format("UCX does not read {} from {} on", setting.name, row.removed)
      : sure ? fmt::format("NCCL does not read {} from {} on, and this is {}", setting.name,
                           row.removed, environment.nccl_words())
             : fmt::format("NCCL does not read {} from {} on, if yours is as new as that",
                           setting.name, row.removed);
  Finding& finding =
      fail(out, patient, setting,
           row.instead.empty() ? gone : fmt::format("{}: use {}", gone, row.instead));
  // Everything before 2.13 is years old; what was removed later may still be there.
  const auto removed = NcclVersion::parse(row.removed);
  if (ucx || (!sure && removed && *removed > NcclVersion{2, 13, 0})) {
    finding.severity = Severity::note;
    finding.weight = 15;
  }
  finding.impact.text = "it does nothing";
  finding.remedy = {take_away(patient, setting)};
}

void is_deprecated(const Patient& patient, Verdicts& out, const EnvironmentSetting& setting,
                   const VariableRow& row) {
  Finding& finding =
      fail(out, patient, setting,
           row.instead.empty() ? fmt::format("{} is deprecated", setting.name)
                               : fmt::format("{} is an old name of {}", setting.name, row.instead));
  finding.severity = Severity::note;
  finding.weight = 10;
  finding.impact.text = "none today; a later release may stop reading it";
  if (!row.instead.empty()) finding.remedy = {rename(setting, row.instead)};
}

}  // namespace

void look_variable_unknown(const Patient& patient, Verdicts& out) {
  if (no_tables(patient, out)) return;
  int suggestions = most_suggestions;
  const Environment environment(patient);
  for (const EnvironmentSetting& setting : environment.all()) {
    if (library_of(setting.name).empty()) continue;
    const VariableRow* row = variable_row(patient.advice, setting.name);
    if (row == nullptr)
      unknown_name(patient, out, setting, suggestions);
    else if (row->status == VariableStatus::never)
      never_was(patient, out, setting, *row);
    else
      out.pass();
  }
}

void look_variable_removed(const Patient& patient, Verdicts& out) {
  if (no_tables(patient, out)) return;
  const Environment environment(patient);
  for (const EnvironmentSetting& setting : environment.all()) {
    const VariableRow* row = variable_row(patient.advice, setting.name);
    if (row == nullptr) continue;
    // UCX_TCP_SNDBUF is read, though the table's UCX_SNDBUF is not: only whole names count.
    if (row->status == VariableStatus::removed && row->name == setting.name &&
        !version_lacks(environment, *row))
      was_removed(patient, out, environment, setting, *row);
    else if (row->status == VariableStatus::deprecated)
      is_deprecated(patient, out, setting, *row);
    else
      out.pass();
  }
}

void look_variable_dead(const Patient& patient, Verdicts& out) {
  if (no_tables(patient, out)) return;
  const Environment environment(patient);
  for (const EnvironmentSetting& setting : environment.all()) {
    const VariableRow* row = variable_row(patient.advice, setting.name);
    if (row == nullptr) continue;
    if (row->status != VariableStatus::dead) {
      out.pass();
      continue;
    }
    Finding& finding =
        fail(out, patient, setting, with_note(setting.name + " is read by nothing", *row));
    finding.impact.text = "it does nothing; what was wanted is not in effect";
    finding.remedy = {take_away(patient, setting)};
    if (!row->instead.empty())
      finding.remedy.push_back({.text = "what governs this today is " + row->instead});
  }
}

}  // namespace railgauge::judge
