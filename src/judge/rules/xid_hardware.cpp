// Xids that mean hardware or its firmware: off the bus, GSP, NVLink.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "judge/rules/unknown_once.h"
#include "judge/rules/xid.h"
#include "judge/rules/xid_episodes.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr int fallen_off_the_bus = 79;

bool said_lost(const Event& event) {
  return event.kind == EventKind::gpu_driver &&
         (contains(event.text, "fallen off the bus") || contains(event.text, "GPU is lost"));
}

void off_the_bus(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  std::set<std::optional<PciAddress>> told;
  for (const XidEpisode& one : xid_episodes(machine)) {
    if (one.code() != fallen_off_the_bus) {
      // A loss that follows another Xid at once is told with that one.
      for (const Event* event : one.followers)
        if (event->code == fallen_off_the_bus) told.insert(one.address);
      continue;
    }
    told.insert(one.address);
    report_xid(patient, one, out).impact.text =
        "the GPU is gone until a reset of its slot or a power cycle; the job is lost";
  }
  for (const Event& event : machine.events) {
    if (!said_lost(event) || !told.insert(event.device).second) continue;
    const auto device = event.device ? machine.at(*event.device) : std::nullopt;
    Finding& finding = device ? out.fail(machine, *device, "has fallen off the bus")
                              : out.fail("a GPU", "has fallen off the bus");
    finding.evidence = {{"kernel log", event.text, {}, machine.sources.text(event.source)}};
    finding.impact.text = "the GPU is gone until a power cycle; the job is lost";
    finding.remedy = steps_of("RESTART_BM", {});
  }
}

void gsp(const Patient& patient, Verdicts& out) {
  out.pass();
  for (const XidEpisode& one : xid_episodes(patient.machine)) {
    if (one.code() != 119 && one.code() != 120) continue;
    Finding& finding = report_xid(patient, one, out);
    finding.impact.text = "every call to the GPU waits and fails: nvidia-smi hangs, jobs hang";
    finding.remedy.push_back(
        {.text = "if it comes back after a power cycle: update driver and VBIOS, or run the "
                 "driver without GSP firmware where the GPU allows it (not on Hopper and later), "
                 "else return the GPU",
         .command = "echo 'options nvidia NVreg_EnableGpuFirmware=0' | sudo tee "
                    "/etc/modprobe.d/nvidia-gsp.conf",
         .needs_root = true,
         .needs_reboot = true,
         .risk = Risk::interrupts,
         .risk_text = "open kernel modules need the GSP"});
  }
}

bool is_nvlink(int code) { return code == 74 || code == 136 || (code >= 144 && code <= 150); }

void nvlink(const Patient& patient, Verdicts& out) {
  out.pass();
  for (const XidEpisode& one : xid_episodes(patient.machine)) {
    if (!is_nvlink(one.code())) continue;
    Finding& finding = report_xid(patient, one, out);
    const Event& event = *one.cause;
    if (!event.layer.empty()) finding.text += ", unit " + event.layer;
    if (event.link) finding.text += fmt::format(", link {}", *event.link);
    const bool fifth = one.code() >= 144;
    if (fifth && event.severity == EventSeverity::fatal) finding.text += ", fatal";
    if (fifth && event.severity == EventSeverity::nonfatal) {
      finding.severity = Severity::warning;
      finding.weight = 50;
      finding.text += ", non-fatal";
    }
    finding.impact.text =
        "peer-to-peer over the link fails: collectives on this GPU end or hang; "
        "peers may report the same because of it";
    finding.remedy.insert(finding.remedy.begin(),
                          {.text = "see which links are down and which errors they count, here and "
                                   "at the other end",
                           .command = "nvidia-smi nvlink -s; nvidia-smi nvlink -e; sudo dmesg -T | "
                                      "grep -E 'Xid|SXid'",
                           .needs_root = true});
  }
}

Rule bus_rule() {
  return {.id = "GPU001",
          .name = "gpu-off-the-bus",
          .severity = Severity::error,
          .weight = 100,
          .needs = {Need::kernel_log},
          .explains = {{"GPU006", Relation::anything},
                       {"GPU009", Relation::same_device},
                       {"GPU010", Relation::anything},
                       {"NVL003", Relation::anything},
                       {"NCC020", Relation::anything},
                       {"NCC104", Relation::anything},
                       {"NCC105", Relation::anything}},
          .look = unknown_once<off_the_bus>,
          .page = {
              .what = "The driver cannot reach a GPU over PCIe any more (Xid 79).",
              .why = "Every job on it is lost, and the node needs a power cycle. The cause is the "
                     "PCIe link, power, heat or the GPU; when PCIe errors stand before it in the "
                     "log the link is the cause and this is reported below it.",
              .by_hand = "sudo dmesg -T | grep -E 'Xid.*: 79|AER|pciehp|fallen off'\n"
                         "Look at what comes before the Xid.",
              .remedy = "Power the node off and on. Look at the slot, riser and power cables, and "
                        "at temperatures. A GPU that falls off in another slot, too, is returned.",
              .benign_if = "The GPU was taken away on purpose: hot-unplug, a reset of the slot, "
                           "a guest that was given it.",
              .references = {"NVIDIA Xid Catalog, Xid 79", "NVIDIA GPU debug guidelines, Xid 79"}}};
}

Rule gsp_rule() {
  return {
      .id = "GPU002",
      .name = "gsp-timeout",
      .severity = Severity::error,
      .weight = 90,
      .needs = {Need::kernel_log},
      .explains = {{"GPU009", Relation::same_device},
                   {"NCC020", Relation::anything},
                   {"NCC104", Relation::anything},
                   {"NCC105", Relation::anything}},
      .look = unknown_once<gsp>,
      .page = {.what = "The GPU's system processor (GSP) does not answer the driver, or failed "
                       "(Xid 119, 120).",
               .why = "All calls for that GPU go through its GSP: tools hang, jobs hang, NCCL "
                      "waits. After some timeouts the driver prints only one in many.",
               .by_hand = "sudo dmesg -T | grep -E 'Xid.*: (119|120)|GSP'",
               .remedy = "Reset the GPU; power the node off and on if that does not help. When it "
                         "comes back: newer driver and VBIOS, then the maker.",
               .benign_if = "Once during a driver upgrade or reset.",
               .references = {"NVIDIA Xid Catalog, Xids 119 and 120",
                              "NVIDIA driver README, GSP firmware"}}};
}

Rule nvlink_rule() {
  return {.id = "GPU006",
          .name = "xid-nvlink",
          .severity = Severity::error,
          .weight = 80,
          .needs = {Need::kernel_log},
          .explains = {{"GPU009", Relation::same_device},
                       {"NVL002", Relation::same_device},
                       {"NVL003", Relation::same_device},
                       {"NVL004", Relation::same_device},
                       {"NCC012", Relation::anything},
                       {"NCC020", Relation::anything},
                       {"NCC105", Relation::anything}},
          .look = unknown_once<nvlink>,
          .page = {
              .what = "A GPU reported an NVLink error (Xid 74, 136, or 144-150 on Blackwell).",
              .why = "The link or the device at its other end failed. A GPU that fails takes down "
                     "the links of its peers, which then report the same: the first in the log "
                     "counts. On Blackwell the message names unit, severity and link.",
              .by_hand = "sudo dmesg -T | grep -E 'Xid.*: (74|136|14[4-9]|150)'; nvidia-smi nvlink "
                         "-s",
              .remedy = "Reset all GPUs of the board together. If one link comes back again and "
                        "again: bridge, baseboard or GPU.",
              .benign_if = "Another GPU fell off the bus or an NVSwitch failed at that time: then "
                           "it is a consequence. Non-fatal ones of 144-150 are warnings.",
              .references = {"NVIDIA Xid Catalog, Xids 74, 136 and 144-150"}}};
}

}  // namespace

std::vector<Rule> xid_hardware_rules() { return {bus_rule(), gsp_rule(), nvlink_rule()}; }

}  // namespace railgauge::judge
