// The family of GPU health: what a GPU asks for, and modes worth knowing.
#include "judge/rules/gpu_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/unknown_once.h"
#include "judge/rules/xid_episodes.h"

namespace railgauge::judge {

using namespace model;

bool is_workstation(const Patient& patient, const Device& gpu) {
  const GpuBoard* board = patient.catalogue.board(gpu);
  const std::string name = board != nullptr ? board->name : gpu.name.value_or("");
  for (const char* word : {"GeForce", "RTX", "TITAN", "Quadro", "GB10"})
    if (contains(name, word)) return true;
  return false;
}

bool is_amd(const Device& gpu) {
  constexpr std::uint16_t amd = 0x1002;
  if (gpu.pci && gpu.pci->id) return gpu.pci->id->vendor == amd;
  if (gpu.gpu && gpu.gpu->gcn_architecture) return true;
  return gpu.name && (contains(*gpu.name, "AMD") || contains(*gpu.name, "Instinct"));
}

std::string smi_id(const Device& gpu) {
  if (gpu.address) return gpu.address->text();
  return gpu.index ? std::to_string(*gpu.index) : std::string("GPU");
}

namespace {

constexpr int recovery_action_changed = 154;

// The last word of Xid 154 for each GPU: "… changed from 0x0 (None) to 0x1 (GPU Reset Required)".
std::map<DeviceId, const Event*> last_actions(const Machine& machine) {
  std::map<DeviceId, const Event*> out;
  for (const Event& event : machine.events) {
    if (event.kind != EventKind::xid || event.code != recovery_action_changed || !event.device)
      continue;
    if (const auto id = machine.at(*event.device)) out[*id] = &event;
  }
  return out;
}

std::string action_in(const std::string& text) {
  const auto open = text.rfind('(');
  const auto close = text.find(')', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return "an action";
  return lower(text.substr(open + 1, close - open - 1));
}

std::vector<RemedyStep> steps_for(const std::string& action, const Device& device) {
  if (contains(action, "reboot")) return steps_of("RESTART_BM", {});
  if (contains(action, "imex"))
    return {{.text = "stop the jobs of the NVLink domain and start IMEX again on all its nodes",
             .command = "sudo systemctl restart nvidia-imex",
             .needs_root = true,
             .risk = Risk::interrupts,
             .risk_text = "jobs of the domain end"}};
  if (contains(action, "drain"))
    return {{.text = "let the jobs that use this GPU's NVLink peers end, then reset it",
             .command = fmt::format("sudo nvidia-smi --gpu-reset -i {}", smi_id(device)),
             .needs_root = true,
             .risk = Risk::interrupts,
             .risk_text = "jobs on the GPU and its peers end"}};
  return steps_of("RESET_GPU", smi_id(device));
}

void needs_recovery(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto logged = last_actions(machine);
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    if (is_amd(device)) continue;
    const auto& now = device.gpu->recovery_action;
    const auto& reset = device.gpu->reset_required;
    const auto event = logged.find(id);
    std::string action;
    Evidence seen;
    if (now && *now != "none") {
      action = *now;
      seen = evidence(machine, "GPU Recovery Action", *now, "none", now.source());
    } else if (!now && reset && *reset) {
      action = "reset";
      seen = evidence(machine, "Reset Required", "Yes", "No", reset.source());
    } else if (!now && event != logged.end() &&
               event->second->severity != EventSeverity::information) {
      action = action_in(event->second->text);
      seen = {"kernel log", event->second->text, {}, machine.sources.text(event->second->source)};
    } else if (now || reset || event != logged.end() || has(patient, Need::kernel_log)) {
      out.pass();
      continue;
    } else {
      out.unknown(subject_of(machine, id), "the GPU's recovery action", "nvidia-smi -q");
      continue;
    }
    std::replace(action.begin(), action.end(), '_', ' ');
    Finding& finding = out.fail(machine, id, fmt::format("the driver asks for: {}", action));
    finding.evidence = {std::move(seen)};
    finding.impact.text = "new programs do not start on it, or run without its peers, until then";
    finding.remedy = steps_for(action, device);
  }
}

void persistence(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<DeviceId> off;
  bool known = false;
  bool asked = false;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    if (is_amd(machine[id])) continue;
    asked = true;
    const auto& mode = machine[id].gpu->persistence_mode;
    known |= mode.known();
    if (mode && !*mode && !is_workstation(patient, machine[id])) off.push_back(id);
  }
  if (!asked) return;
  if (!known)
    return out.unknown("all GPUs", "persistence mode", "nvidia-smi -q | grep Persistence");
  if (off.empty()) return out.pass();
  const auto& services = machine.host.services;
  if (services.contains("nvidia-persistenced")) return out.pass();
  Finding& finding = out.fail("all GPUs", fmt::format("persistence mode is off on {} GPU{}",
                                                      off.size(), off.size() == 1 ? "" : "s"));
  finding.devices = off;
  finding.evidence = {evidence(machine, "Persistence Mode", "Disabled", "Enabled",
                               machine[off.front()].gpu->persistence_mode.source())};
  finding.impact.text =
      "each first program waits seconds while the driver starts the GPU, and "
      "settings such as clocks are lost in between";
  finding.remedy = {{.text = "run the persistence daemon",
                     .command = "sudo systemctl enable --now nvidia-persistenced",
                     .needs_root = true}};
}

void mig(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<DeviceId> on;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& enabled = machine[id].gpu->mig_enabled;
    if (enabled && *enabled)
      on.push_back(id);
    else if (enabled)
      out.pass();
  }
  if (on.empty()) return;
  Finding& finding = out.fail(
      machine, on.front(),
      fmt::format("MIG is on ({} of {} GPUs)", on.size(), machine.of_kind(DeviceKind::gpu).size()));
  finding.devices = on;
  finding.evidence = {
      evidence(machine, "MIG Mode", "Enabled", {}, machine[on.front()].gpu->mig_enabled.source())};
  finding.impact.text =
      "parts of a GPU have no NVLink and no peer-to-peer: NCCL between them goes "
      "through host memory";
  finding.remedy = {
      {.text = "for jobs over several GPUs: turn MIG off",
       .command = fmt::format("sudo nvidia-smi -i {} -mig 0", smi_id(machine[on.front()])),
       .needs_root = true,
       .risk = Risk::interrupts,
       .risk_text = "jobs on the GPU end"}};
}

std::vector<Rule> state_rules() {
  return {
      {.id = "GPU009",
       .name = "gpu-needs-recovery",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::gpus},
       .explains = {{"NCC105", Relation::anything}},
       .look = unknown_once<needs_recovery>,
       .page = {.what =
                    "The driver says that a GPU needs a reset, a drain or a reboot (GPU recovery "
                    "action, Xid 154).",
                .why = "Something went wrong before; this is what the driver asks for to mend it. "
                       "The Xids before it say why and are reported above it.",
                .by_hand = "nvidia-smi -q | grep -i -A1 'recovery action'; sudo dmesg -T | grep "
                           "'Xid.*: 154'",
                .remedy = "Do what it says: drain jobs of peers, reset the GPU, or reboot.",
                .benign_if = "The action is None, or the last Xid 154 went back to None.",
                .references = {"NVIDIA Xid Catalog, Xid 154",
                               "NVML API, nvmlDeviceGpuRecoveryAction_t"}}},
      {.id = "GPU015",
       .name = "persistence-off",
       .severity = Severity::note,
       .weight = 15,
       .needs = {Need::gpus},
       .explains = {},
       .look = unknown_once<persistence>,
       .page = {.what = "Persistence mode is off on data-centre GPUs.",
                .why = "Without any program the driver lets the GPU go; the next one waits seconds "
                       "for it, and clock and power settings are forgotten.",
                .by_hand = "nvidia-smi -q | grep -E 'Persistence Mode'; systemctl status "
                           "nvidia-persistenced",
                .remedy = "nvidia-persistenced as a service.",
                .benign_if = "Workstations, or nvidia-persistenced runs. It is a note only.",
                .references = {"NVIDIA driver persistence documentation"}}},
      {.id = "GPU016",
       .name = "mig-enabled",
       .severity = Severity::note,
       .weight = 25,
       .needs = {Need::gpus},
       .explains = {},
       .look = unknown_once<mig>,
       .page = {.what = "GPUs are divided by MIG.",
                .why = "Instances have neither NVLink nor peer-to-peer, so NCCL over several of "
                       "them is slow, and a process cannot use two instances at once.",
                .by_hand = "nvidia-smi -L",
                .remedy = "nvidia-smi -mig 0 for nodes that train over several GPUs.",
                .benign_if = "It was meant for small jobs. It is a note only.",
                .references = {"NVIDIA Multi-Instance GPU user guide"}}}};
}

}  // namespace

Family gpu_health_rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = state_rules();
    for (auto part : {gpu_missing_rules(), gpu_memory_rules(), gpu_clock_rules()})
      for (Rule& rule : part) out.push_back(std::move(rule));
    return out;
  }();
  return list;
}

}  // namespace railgauge::judge
