// Clocks: throttled by heat or power, capped by a setting; and heat itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "judge/rules/gpu_health.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

// What hardware or heat takes away; a software power cap is the normal state under load.
constexpr std::array<std::string_view, 4> bad_reasons{
    "hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown", "sw_thermal_slowdown"};
// Data-centre GPUs slow down at 87 to 92 °C, HBM at 95 to 105 °C (nvidia-smi -q, T.Limit and
// slowdown temperatures of A100 and H100; by product, so the lower end).
constexpr int hot_celsius = 87;
constexpr int hot_memory_celsius = 98;

std::vector<std::string> bad_of(const std::vector<std::string>& reasons) {
  std::vector<std::string> out;
  for (const std::string& one : reasons)
    if (std::find(bad_reasons.begin(), bad_reasons.end(), one) != bad_reasons.end())
      out.push_back(one);
  return out;
}

bool says(const Device& device, std::string_view reason) {
  const auto& reasons = device.gpu->throttle_reasons;
  return reasons && std::find(reasons->begin(), reasons->end(), reason) != reasons->end();
}

void throttled(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    const auto& reasons = device.gpu->throttle_reasons;
    if (!reasons) {
      out.unknown(subject_of(machine, id), Need::gpu_health);
      continue;
    }
    const auto bad = bad_of(*reasons);
    if (bad.empty()) {
      out.pass();
      continue;
    }
    const auto& clock = device.gpu->sm_clock_mhz;
    const auto& most = device.gpu->sm_clock_max_mhz;
    std::string text = fmt::format("is throttled: {}", fmt::join(bad, ", "));
    if (clock && most) text += fmt::format("; {} of {} MHz", *clock, *most);
    Finding& finding = out.fail(machine, id, std::move(text));
    finding.evidence = {evidence(machine, "Clocks Event Reasons",
                                 fmt::format("{}", fmt::join(bad, ", ")), "none of these",
                                 reasons.source())};
    if (device.gpu->temperature_celsius)
      finding.evidence.push_back(evidence(machine, "temperature",
                                          fmt::format("{} °C", *device.gpu->temperature_celsius),
                                          {}, device.gpu->temperature_celsius.source()));
    finding.impact.text = "a collective waits for its slowest GPU: all others wait for this one";
    if (clock && most && *most > 0)
      finding.impact.lost_fraction = 1 - static_cast<double>(*clock) / *most;
    const bool power = std::find(bad.begin(), bad.end(), "hw_power_brake_slowdown") != bad.end();
    finding.remedy = {{.text = power ? "look at power supplies and the rack's power brake signal"
                                     : "look at fans, air or coolant, and what the node's "
                                       "neighbours blow at it",
                       .command = "sudo ipmitool sdr | grep -iE 'psu|fan|temp'; nvidia-smi -q -d "
                                  "PERFORMANCE,TEMPERATURE,POWER",
                       .needs_root = true}};
  }
}

void capped(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr int busy_percent = 50;
  constexpr double far_below = 0.7;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    const auto& clock = device.gpu->sm_clock_mhz;
    const auto& most = device.gpu->sm_clock_max_mhz;
    const auto& load = device.gpu->utilization_percent;
    if (!clock || !most || *most <= 0) {
      out.unknown(subject_of(machine, id), Need::gpu_health);
      continue;
    }
    const bool setting = says(device, "applications_clocks_setting");
    const bool busy = load && *load >= busy_percent;
    const bool low = *clock < *most * far_below;
    const bool heat_or_power =
        device.gpu->throttle_reasons &&
        (!bad_of(*device.gpu->throttle_reasons).empty() || says(device, "sw_power_cap"));
    if (!busy && !setting) {
      out.pass();  // an idle GPU lowers its clocks
      continue;
    }
    if (!low || heat_or_power) {
      out.pass();
      continue;
    }
    if (!busy) continue;
    Finding& finding = out.fail(machine, id,
                                fmt::format("works at {} of {} MHz{}", *clock, *most,
                                            setting ? ": capped by a setting" : ""));
    finding.evidence = {evidence(machine, "SM clock", fmt::format("{} MHz", *clock),
                                 fmt::format("{} MHz", *most), clock.source())};
    finding.impact.text = "kernels and in-kernel collectives slow down with the clock";
    finding.impact.lost_fraction = 1 - static_cast<double>(*clock) / *most;
    finding.remedy = {{.text = "take locked or application clocks away",
                       .command = fmt::format("sudo nvidia-smi -i {0} -rgc; sudo nvidia-smi -i {0} "
                                              "-rac",
                                              smi_id(device)),
                       .needs_root = true}};
  }
}

void hot(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& chip = machine[id].gpu->temperature_celsius;
    const auto& memory = machine[id].gpu->memory_temperature_celsius;
    if (!chip && !memory) {
      out.unknown(subject_of(machine, id), "temperatures", "nvidia-smi -q -d TEMPERATURE");
      continue;
    }
    const bool hot_chip = chip && *chip >= hot_celsius;
    const bool hot_memory = memory && *memory >= hot_memory_celsius;
    if (!hot_chip && !hot_memory) {
      out.pass();
      continue;
    }
    const auto& fact = hot_chip ? chip : memory;
    const int limit = hot_chip ? hot_celsius : hot_memory_celsius;
    Finding& finding = out.fail(
        machine, id, fmt::format("its {} is at {} °C", hot_chip ? "chip" : "memory", *fact));
    finding.evidence = {evidence(machine, "temperature", fmt::format("{} °C", *fact),
                                 fmt::format("below {} °C", limit), fact.source())};
    finding.impact.text = "close to where it slows down; memory errors grow with heat";
    finding.remedy = {{.text = "look at fans, air or coolant",
                       .command = "nvidia-smi -q -d TEMPERATURE; sudo ipmitool sdr | grep -iE "
                                  "'fan|temp'",
                       .needs_root = true}};
  }
}

}  // namespace

std::vector<Rule> gpu_clock_rules() {
  return {
      {.id = "GPU013",
       .name = "gpu-throttled",
       .severity = Severity::warning,
       .weight = 60,
       .needs = {Need::gpus},
       .explains = {{"GPU014", Relation::same_device}, {"NCC107", Relation::anything}},
       .look = unknown_once<throttled>,
       .page = {.what = "Hardware or heat holds a GPU's clocks down.",
                .why = "Data-parallel jobs go at the pace of the slowest GPU. A power brake halves "
                       "the clock at once.",
                .by_hand = "nvidia-smi -q -d PERFORMANCE\n\"HW Slowdown\", \"HW Thermal "
                           "Slowdown\", \"HW Power Brake\", \"SW Thermal Slowdown\": Active.",
                .remedy = "Cooling for thermal ones; power supplies and the rack's budget for the "
                          "power brake.",
                .benign_if = "SW Power Cap under load and Idle at rest are normal and not "
                             "reported.",
                .references = {"NVML API, nvmlClocksEventReasons", "nvidia-smi(1), PERFORMANCE"}}},
      {.id = "GPU014",
       .name = "clocks-capped",
       .severity = Severity::warning,
       .weight = 45,
       .needs = {Need::gpus},
       .explains = {},
       .look = unknown_once<capped>,
       .page = {.what = "A GPU at work runs far below its highest clock, and neither heat nor "
                        "power is the reason.",
                .why = "Clocks locked for a benchmark or to save power stay until somebody takes "
                       "them away.",
                .by_hand = "nvidia-smi -q -d CLOCK,PERFORMANCE under load",
                .remedy = "nvidia-smi -rgc; nvidia-smi -rac",
                .benign_if = "The GPU is idle, or in its power cap, or clocks are locked on "
                             "purpose.",
                .references = {"nvidia-smi(1), --lock-gpu-clocks"}}},
      {.id = "GPU019",
       .name = "gpu-hot",
       .severity = Severity::warning,
       .weight = 40,
       .needs = {Need::gpus},
       .explains = {{"GPU013", Relation::same_device}},
       .look = unknown_once<hot>,
       .page = {.what = "A GPU or its memory is close to the temperature at which it slows down.",
                .why = "A100 and H100 slow down at 87 °C and above, HBM at about 95 to 105 °C.",
                .by_hand = "nvidia-smi -q -d TEMPERATURE",
                .remedy = "Fans, air or coolant, dust, blanking panels, inlet temperature.",
                .benign_if = "Workstation cards are built for 83 to 90 °C under load; look at the "
                             "limits that nvidia-smi prints.",
                .references = {"nvidia-smi(1), Temperature"}}}};
}

}  // namespace railgauge::judge
