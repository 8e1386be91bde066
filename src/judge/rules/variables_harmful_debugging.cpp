// What debugging leaves behind, and costs in production.
#include <fmt/format.h>

#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_harmful.h"

namespace railgauge::judge {
namespace {

using namespace model;

void leftover(const Patient& patient, Verdicts& out, const EnvironmentSetting& setting,
              Severity severity, int weight, std::string text, std::string impact) {
  Finding& finding = fail(out, patient, setting, std::move(text));
  finding.severity = severity;
  finding.weight = weight;
  finding.impact.text = std::move(impact);
  finding.remedy = {take_away(patient, setting)};
}

// A switch that is on.
void look_switch(const Patient& patient, Verdicts& out, const Environment& environment,
                 const char* name, Severity severity, int weight, const char* what,
                 const char* impact) {
  const EnvironmentSetting* setting = environment.find(name);
  if (setting == nullptr) return;
  const bool on = setting->number() != 0 || equal_nocase(setting->value, "true");
  if (!on) return out.pass();
  leftover(patient, out, *setting, severity, weight,
           fmt::format("{}={}: {}", name, setting->value, what), impact);
}

void look_debug_level(const Patient& patient, Verdicts& out, const Environment& environment) {
  const EnvironmentSetting* setting = environment.find("NCCL_DEBUG");
  if (setting == nullptr) return;
  const std::string_view value = trim(setting->value);
  if (equal_nocase(value, "TRACE"))
    return leftover(patient, out, *setting, Severity::warning, 30,
                    "NCCL_DEBUG=TRACE writes a line for every call, where the library was built "
                    "with it",
                    "logs grow by gigabytes, and each call waits for them");
  const EnvironmentSetting* subsystems = environment.find("NCCL_DEBUG_SUBSYS");
  if (equal_nocase(value, "INFO") && subsystems != nullptr && contains(subsystems->value, "ALL") &&
      !subsystems->value.starts_with('^'))
    return leftover(patient, out, *subsystems, Severity::note, 15,
                    "NCCL_DEBUG=INFO for all subsystems writes a line for every collective",
                    "logs grow quickly");
  out.pass();
}

void look_ucx_level(const Patient& patient, Verdicts& out, const Environment& environment) {
  const EnvironmentSetting* setting = environment.find("UCX_LOG_LEVEL");
  if (setting == nullptr) return;
  const std::string value = lower(trim(setting->value));
  for (const char* quiet : {"fatal", "error", "warn", "diag", "info"})
    if (value == quiet) return out.pass();
  leftover(patient, out, *setting, Severity::warning, 30,
           fmt::format("UCX_LOG_LEVEL={} writes lines for every message", setting->value),
           "each message waits for its log");
}

void look_torch(const Patient& patient, Verdicts& out, const Environment& environment) {
  const EnvironmentSetting* setting = environment.find("TORCH_DISTRIBUTED_DEBUG");
  if (setting == nullptr) return;
  if (!equal_nocase(trim(setting->value), "DETAIL")) return out.pass();
  leftover(patient, out, *setting, Severity::warning, 35,
           "TORCH_DISTRIBUTED_DEBUG=DETAIL compares every collective among all ranks before it "
           "runs",
           "an extra synchronisation for each collective");
}

void look_leftovers(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  look_debug_level(patient, out, environment);
  look_ucx_level(patient, out, environment);
  look_torch(patient, out, environment);
  look_switch(patient, out, environment, "CUDA_LAUNCH_BLOCKING", Severity::warning, 55,
              "every kernel launch waits for its end",
              "compute and communication do not overlap at all");
  look_switch(patient, out, environment, "TORCH_NCCL_NAN_CHECK", Severity::warning, 30,
              "every buffer is searched for NaN before it is sent", "a pass over all data");
  look_switch(patient, out, environment, "TORCH_NCCL_BLOCKING_WAIT", Severity::note, 15,
              "the thread waits for each collective", "less overlap with the CPU's work");
  look_switch(patient, out, environment, "NCCL_BLOCKING_WAIT", Severity::note, 15,
              "the thread waits for each collective", "less overlap with the CPU's work");
  look_switch(patient, out, environment, "NCCL_CHECK_POINTERS", Severity::note, 12,
              "every pointer is checked on every call", "latency of small collectives");
}

}  // namespace

std::vector<Rule> harmful_debugging_rules() {
  return {
      {.id = "ENV014",
       .name = "debugging-leftover",
       .severity = Severity::warning,
       .weight = 30,
       .needs = {Need::environment},
       .look = look_leftovers,
       .page = {.what = "A variable for finding faults is set in a job that should run fast.",
                .why = "NVIDIA's guide says that debugging variables must not stay in production. "
                       "CUDA_LAUNCH_BLOCKING=1 alone takes away all overlap of compute and "
                       "communication; TRACE and DETAIL write or compare on every call.",
                .by_hand = "env | grep -E 'DEBUG|BLOCKING|TRACE|LOG_LEVEL'",
                .remedy = "Unset it once the fault is found.",
                .benign_if = "A fault is being looked for right now. NCCL_DEBUG=WARN, VERSION and "
                             "INFO cost nothing after the start, and pass.",
                .references = {nccl_guide, "CUDA C++ Programming Guide, Environment Variables"}}}};
}

}  // namespace railgauge::judge
