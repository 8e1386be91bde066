// Counters of PCIe errors that grow: the kernel's AER statistics and the GPU's own replay counter.
#include <fmt/format.h>

#include "judge/rules/pcie_errors.h"
#include "judge/rules/pcie_errors_groups.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

// By two readings, or on average since the start; a short life says nothing.
std::optional<double> per_minute(const Machine& machine, const Counter& counter) {
  constexpr double shortest_uptime_seconds = 600;
  if (const auto rate = counter.per_second()) return *rate * 60;
  const auto& uptime = machine.host.uptime_seconds;
  if (!counter.later.empty() || !counter.value || !uptime || *uptime < shortest_uptime_seconds)
    return std::nullopt;
  return static_cast<double>(*counter.value) * 60 / *uptime;
}

void judge_counter(const Machine& machine, DeviceId device, const std::string& name,
                   const Counter& counter, Verdicts& out) {
  const auto rate = per_minute(machine, counter);
  if (!rate) {
    if (counter.value && *counter.value == 0) return out.pass();
    return out.unknown(subject_of(machine, device), "how fast it grows: two readings",
                       "railgauge record --interval 10s");
  }
  if (*rate <= most_corrected_per_minute) return out.pass();
  Finding& finding = out.fail(machine, device,
                              fmt::format("{}: {:.3g} a minute{}", name, *rate,
                                          counter.later.empty() ? " since the start" : ""));
  finding.evidence = {evidence(machine, name, std::to_string(*counter.value),
                               fmt::format("at most {} a minute", most_corrected_per_minute),
                               counter.value.source())};
  finding.impact.text =
      "each one is a packet sent again or a link that trains again: time, and "
      "the sign of a link that may fail";
  const auto& address = machine[device].address;
  finding.remedy = {look_at_counters(address ? address->text() : "ADDRESS"), mend_link()};
}

void kernel_counters(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : serving_devices(machine)) {
    const auto& pci = machine[id].pci;
    if (!pci) continue;
    const auto total = pci->aer_correctable.find("TOTAL_ERR_COR");
    if (total != pci->aer_correctable.end())
      judge_counter(machine, id, "corrected PCIe errors (TOTAL_ERR_COR)", total->second, out);
  }
}

void replays(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& errors = machine[id].gpu->pcie_errors;
    const auto found = errors.find("replays");
    if (found == errors.end() || !found->second.value)
      out.unknown(subject_of(machine, id), "the GPU's PCIe replay counter", "nvidia-smi -q");
    else
      judge_counter(machine, id, "PCIe replays", found->second, out);
  }
}

Rule kernel_counters_rule() {
  return {
      .id = "PCI025",
      .name = "aer-counters-growing",
      .severity = Severity::warning,
      .weight = 65,
      .needs = {Need::pcie_errors},
      .explains = {{"PCI005", Relation::same_device}, {"PCI026", Relation::same_path}},
      .look = unknown_once<kernel_counters>,
      .page = {.what = "The kernel counts more than 8 corrected errors a minute at a GPU, a fast "
                       "adapter, or a port above one.",
               .why = "The log is limited to 10 lines in 5 seconds a device in newer kernels, and "
                      "often rotated; the counters are not. 8 a minute is what NVIDIA's driver "
                      "recommends as the most (DCGM).",
               .by_hand = "grep . /sys/bus/pci/devices/*/aer_dev_correctable; again after a "
                          "minute; TOTAL_ERR_COR that grows by more than 8.",
               .remedy = "Reseat card, riser and cable; update retimer and BIOS; turn ASPM off.",
               .benign_if = "The counters stand still now and were fed by one event, such as a "
                            "reset: two readings tell, an average since the start does not.",
               .references = {"Linux kernel, Documentation/ABI/testing/sysfs-bus-pci-devices-aer",
                              "NVIDIA DCGM, DCGM_LIMIT_MAX_PCIREPLAY_RATE"}}};
}

Rule replays_rule() {
  return {
      .id = "PCI026",
      .name = "pcie-replays",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::gpus},
      .explains = {},
      .look = unknown_once<replays>,
      .page = {.what = "A GPU counts more than 8 PCIe replays a minute.",
               .why = "A replay is a packet that was not acknowledged and is sent again. The GPU "
                      "counts its own side even where the kernel shows no AER statistics, as in a "
                      "container.",
               .by_hand = "nvidia-smi --query-gpu=index,pcie.replay_counter --format=csv, twice",
               .remedy = "Reseat card, riser and cable; look for AER errors at the port above.",
               .benign_if = "It stands still now: some replays while the link trained are normal.",
               .references = {"NVIDIA DCGM, DCGM_LIMIT_MAX_PCIREPLAY_RATE",
                              "NVML API, NVML_FI_DEV_PCIE_REPLAY_COUNTER"}}};
}

}  // namespace

std::vector<Rule> pcie_counter_rules() { return {kernel_counters_rule(), replays_rule()}; }

}  // namespace railgauge::judge
