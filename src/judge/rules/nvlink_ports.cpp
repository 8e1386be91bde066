// The links one by one: down, counting errors, training again.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/nvlink.h"
#include "judge/rules/nvlink_boards.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

// DCGM: "CRC errors only matter at rates of 100+ per second"; of other NVLink errors one is enough
// (dcgm_gpu_hardware_limits.h).
constexpr double most_crc_per_second = 100;
// Without two readings only this many say anything; a guess.
constexpr std::uint64_t very_many = 100'000;

std::string numbers(const std::vector<int>& links) {
  std::string out;
  constexpr std::size_t most_named = 8;
  for (std::size_t i = 0; i < links.size() && i < most_named; ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", links[i]);
  return links.size() > most_named ? out + " …" : out;
}

bool any_active(const Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    for (const NvLinkPort& port : machine[id].gpu->nvlinks)
      if (port.active && *port.active) return true;
  return false;
}

void report_inactive(const Machine& machine, DeviceId id, const std::vector<int>& down,
                     SourceRef source, bool bridge, Verdicts& out) {
  const auto total = machine[id].gpu->nvlinks.size();
  Finding& finding = out.fail(
      machine, id,
      fmt::format("{} of {} NVLinks are down: link {}", down.size(), total, numbers(down)));
  finding.evidence = {evidence(machine, "NVLink state", fmt::format("{} inactive", down.size()),
                               "all active", source)};
  if (bridge) {
    finding.severity = Severity::note;
    finding.weight = 20;
    finding.text += "; as many as a bridge that is not plugged in has";
  }
  finding.impact.text = "collectives go at the pace of the GPU with the fewest links";
  finding.impact.lost_fraction = static_cast<double>(down.size()) / static_cast<double>(total);
  finding.remedy = bring_up_nvlink();
}

void inactive(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const bool in_use = any_active(machine);
  constexpr std::size_t bridge_links = 4;  // of one bridge between two cards
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& gpu = machine[id];
    std::vector<int> down;
    SourceRef source;
    for (const NvLinkPort& port : gpu.gpu->nvlinks) {
      if (!port.active || *port.active) continue;
      down.push_back(port.number);
      source = port.active.source();
    }
    if (gpu.gpu->nvlinks.empty()) continue;
    const NvLinkHome home = home_of(patient, gpu);
    const bool all = down.size() == gpu.gpu->nvlinks.size();
    if (down.empty()) {
      out.pass();
    } else if (home == NvLinkHome::module || (all && !in_use && home != NvLinkHome::baseboard)) {
      out.pass();  // no bridge, or nothing at the other end by design
    } else if (in_virtual_machine(patient)) {
      out.unknown(subject_of(machine, id),
                  "the links as the host sees them: those to GPUs of "
                  "other guests are down here",
                  "nvidia-smi nvlink -s, on the host");
    } else if (gpu.gpu->mig_enabled.value_or(false)) {
      out.unknown(subject_of(machine, id), "NVLink with MIG off", "nvidia-smi nvlink -s");
    } else {
      report_inactive(machine, id, down, source,
                      home == NvLinkHome::bridge && down.size() % bridge_links == 0, out);
    }
  }
}

struct LinkCounter {
  DeviceId gpu;
  int link = 0;
  std::string name;
  const Counter* counter = nullptr;
};

std::vector<LinkCounter> link_counters(const Machine& machine, bool recoveries) {
  std::vector<LinkCounter> out;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    for (const NvLinkPort& port : machine[id].gpu->nvlinks)
      for (const auto& [name, counter] : port.errors)
        if (contains(name, "recovery") == recoveries)
          out.push_back({id, port.number, name, &counter});
  return out;
}

Finding& report_counter(const Machine& machine, const LinkCounter& one, std::string text,
                        Verdicts& out) {
  Finding& finding = out.fail(machine, one.gpu, fmt::format("NVLink {}: {}", one.link, text));
  finding.evidence = {evidence(machine, one.name, std::to_string(*one.counter->value), {},
                               one.counter->value.source())};
  finding.remedy = {{.text = "look whether they grow, and at the same link's other end",
                     .command = "nvidia-smi nvlink -e; nvidia-smi nvlink -p"},
                    {.text = "reset the GPUs of the board; a link that keeps on is hardware: "
                             "bridge, baseboard or GPU",
                     .command = "sudo nvidia-smi --gpu-reset",
                     .needs_root = true,
                     .risk = Risk::interrupts,
                     .risk_text = "all jobs on these GPUs end"}};
  return finding;
}

void errors(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const LinkCounter& one : link_counters(machine, false)) {
    if (!one.counter->value) continue;
    const auto rate = one.counter->per_second();
    const bool crc = contains(one.name, "crc");
    const double most = crc ? most_crc_per_second : 0;
    if (rate && *rate > most) {
      report_counter(machine, one, fmt::format("{} grows by {:.3g} a second", one.name, *rate), out)
          .impact.text =
          "packets are sent again: less bandwidth, and the sign of a link that fails";
    } else if (!rate && *one.counter->value > very_many) {
      Finding& finding = report_counter(
          machine, one,
          fmt::format("{} {} since the driver was loaded", *one.counter->value, one.name), out);
      finding.severity = Severity::note;
      finding.weight = 20;
      finding.impact.text = "unknown without a rate: take two readings";
    } else {
      out.pass();
    }
  }
}

void recovery(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const LinkCounter& one : link_counters(machine, true)) {
    if (!one.counter->value) continue;
    const auto growth = one.counter->growth();
    if (growth && *growth > 0) {
      report_counter(machine, one, fmt::format("trained again {} times while we looked", *growth),
                     out)
          .impact.text = "the link stands still each time, and every collective with it";
    } else if (!growth && *one.counter->value > 0) {
      Finding& finding = report_counter(
          machine, one,
          fmt::format("trained again {} times since the driver was loaded", *one.counter->value),
          out);
      finding.severity = Severity::note;
      finding.weight = 20;
      finding.impact.text = "the link stood still each time";
    } else {
      out.pass();
    }
  }
}

Rule inactive_rule() {
  return {
      .id = "NVL003",
      .name = "nvlink-inactive",
      .severity = Severity::error,
      .weight = 70,
      .needs = {Need::nvlink_state},
      .explains = {},
      .look = unknown_once<inactive>,
      .page = {.what = "NVLinks of a GPU are down while others are up, or all are down on a board "
                       "that is wired for them.",
               .why = "Each H100 link is 25 GB/s a direction of 450; with two down every ring "
                      "through the GPU loses a ninth, and NVLS is off.",
               .by_hand = "nvidia-smi nvlink -s\n\"<inactive>\" beside links with a rate.",
               .remedy = "Look for Xid 74, 144-150 and SXids of that link; reset all GPUs of the "
                         "board together; a link that stays down is hardware.",
               .benign_if = "A PCIe card without a bridge, or with fewer bridges than it could "
                            "have; a Grace Hopper module whose links go nowhere; MIG; a guest, "
                            "whose links to GPUs of others are down by design.",
               .references = {"nvidia-smi(1), nvlink -s", "NVIDIA Fabric Manager user guide"}}};
}

Rule errors_rule() {
  return {
      .id = "NVL004",
      .name = "nvlink-errors",
      .severity = Severity::warning,
      .weight = 55,
      .needs = {Need::nvlink_counters},
      .explains = {},
      .look = unknown_once<errors>,
      .page = {.what = "Error counters of an NVLink grow.",
               .why = "CRC errors matter above 100 a second, by NVIDIA's own limit in DCGM; any "
                      "growth of replays or ECC errors is packets sent again.",
               .by_hand = "nvidia-smi nvlink -e, twice, ten seconds apart",
               .remedy = "Reset the GPUs; if it goes on at the same link, bridge, baseboard or GPU "
                         "are at fault.",
               .benign_if = "The counters stand still: some errors while links train are normal, "
                            "so one reading is only a note, and only when it is very large.",
               .references = {"NVIDIA DCGM, DCGM_LIMIT_MAX_NVLINK_CRC_ERROR and "
                              "DCGM_LIMIT_MAX_NVLINK_ERROR",
                              "nvidia-smi(1), nvlink -e"}}};
}

Rule recovery_rule() {
  return {
      .id = "NVL005",
      .name = "nvlink-recovery",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::nvlink_counters},
      .explains = {{"NVL004", Relation::same_device}},
      .look = unknown_once<recovery>,
      .page = {.what = "An NVLink lost its training and trained again.",
               .why = "During a recovery nothing passes, so all GPUs wait; links that recover "
                      "often fail with Xid 74 in the end.",
               .by_hand = "nvidia-smi nvlink -e | grep -i recovery, twice",
               .remedy = "As for errors: reset, then hardware.",
               .benign_if = "It stands still now (a note): GPU resets and driver reloads count, "
                            "too.",
               .references = {"nvidia-smi(1), nvlink -e", "NVIDIA Xid Catalog, Xid 74"}}};
}

}  // namespace

std::vector<Rule> nvlink_port_rules() { return {inactive_rule(), errors_rule(), recovery_rule()}; }

}  // namespace railgauge::judge
