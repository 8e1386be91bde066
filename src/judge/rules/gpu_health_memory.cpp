// ECC of GPU memory: errors counted, and ECC switched off.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/gpu_health.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct EccSum {
  std::uint64_t since_start = 0;  // volatile counters
  std::uint64_t ever = 0;
  bool known = false;
  std::string name;  // of the first counter above 0
  SourceRef source;
};

// Totals repeat the parts, so the largest counter stands for its group.
EccSum uncorrectable_of(const Device& device) {
  EccSum out;
  for (const auto& [name, counter] : device.gpu->ecc_errors) {
    if (!contains(name, "uncorrectable") || !counter.value) continue;
    out.known = true;
    std::uint64_t& group = name.starts_with("volatile") ? out.since_start : out.ever;
    const std::uint64_t now = counter.later.empty() ? *counter.value : counter.later.back().value;
    if (now > 0 && (out.name.empty() || name.starts_with("volatile"))) {
      out.name = name;
      out.source = counter.value.source();
    }
    group = std::max(group, now);
  }
  return out;
}

void uncorrectable(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const EccSum sum = uncorrectable_of(machine[id]);
    if (!sum.known && is_amd(machine[id])) continue;
    if (!sum.known) {
      if (!is_workstation(patient, machine[id]))
        out.unknown(subject_of(machine, id), "ECC error counters", "nvidia-smi -q -d ECC");
      continue;
    }
    if (sum.since_start == 0 && sum.ever == 0) {
      out.pass();
      continue;
    }
    const bool now = sum.since_start > 0;
    Finding& finding = out.fail(
        machine, id,
        now ? fmt::format("{} uncorrectable memory errors since the driver was loaded",
                          sum.since_start)
            : fmt::format("{} uncorrectable memory errors in its life, none since the driver was "
                          "loaded",
                          sum.ever));
    if (!now) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
    finding.evidence = {evidence(
        machine, sum.name, std::to_string(now ? sum.since_start : sum.ever), "0", sum.source)};
    finding.impact.text = now ? "the program that met them ended; the next may"
                              : "none now: bad rows were remapped or the errors were single";
    finding.remedy = {
        {.text = "reset the GPU so that bad rows are remapped, then test it",
         .command = fmt::format("sudo nvidia-smi --gpu-reset -i {} && dcgmi diag -r 3",
                                smi_id(machine[id])),
         .needs_root = true,
         .risk = Risk::interrupts,
         .risk_text = "jobs on the GPU end"}};
  }
}

void off(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& enabled = machine[id].gpu->ecc_enabled;
    if (is_workstation(patient, machine[id]) || is_amd(machine[id])) continue;
    if (!enabled) {
      out.unknown(subject_of(machine, id), "whether ECC is on", "nvidia-smi -q -d ECC");
      continue;
    }
    if (*enabled) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(machine, id, "ECC is off");
    finding.evidence = {evidence(machine, "ECC Mode", "Disabled", "Enabled", enabled.source())};
    finding.impact.text = "a bit that flips in memory becomes a wrong number, unseen";
    finding.remedy = {{.text = "switch it on; it takes effect at the next reset",
                       .command = fmt::format("sudo nvidia-smi -i {} -e 1", smi_id(machine[id])),
                       .needs_root = true,
                       .risk = Risk::interrupts,
                       .risk_text = "takes effect after a reset of the GPU"}};
  }
}

}  // namespace

std::vector<Rule> gpu_memory_rules() {
  return {
      {.id = "GPU011",
       .name = "ecc-uncorrectable",
       .severity = Severity::error,
       .weight = 75,
       .needs = {Need::gpus},
       .explains = {{"GPU005", Relation::same_device}},
       .look = unknown_once<uncorrectable>,
       .page = {.what = "A GPU counts memory errors that ECC could not repair.",
                .why = "Those since the driver was loaded have ended programs. SRAM errors are in "
                       "the chip and are not remapped: past its threshold the GPU is returned.",
                .by_hand =
                    "nvidia-smi -q -d ECC\nVolatile: since the driver was loaded; Aggregate: "
                    "ever.",
                .remedy = "Reset the GPU, run dcgmi diag -r 3; return it when they come back.",
                .benign_if = "Only the aggregate counters are above zero (a note): old errors that "
                             "were remapped.",
                .references = {"NVIDIA GPU Memory Error Management", "nvidia-smi(1), ECC Errors"}}},
      {.id = "GPU012",
       .name = "ecc-off",
       .severity = Severity::warning,
       .weight = 35,
       .needs = {Need::gpus},
       .explains = {},
       .look = unknown_once<off>,
       .page = {.what = "ECC is switched off on a data-centre GPU.",
                .why = "HBM has ECC at no cost of capacity or bandwidth; without it errors are "
                       "silent, and rows are not remapped (Xid 168).",
                .by_hand = "nvidia-smi -q -d ECC | grep -A2 'ECC Mode'",
                .remedy = "nvidia-smi -e 1, then reset.",
                .benign_if = "Workstation and GeForce products, which come so or have none: not "
                             "judged. Boards with GDDR give up some memory and bandwidth for it.",
                .references = {"nvidia-smi(1), ECC mode", "NVIDIA Xid Catalog, Xid 168"}}}};
}

}  // namespace railgauge::judge
