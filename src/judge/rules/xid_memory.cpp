// Errors of GPU memory: Xids, and the row remapper's own state.
#include <fmt/format.h>

#include <set>

#include "judge/rules/unknown_once.h"
#include "judge/rules/xid.h"
#include "judge/rules/xid_episodes.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool is_uncorrectable(int code) {
  return code == 48 || code == 94 || code == 95 || code == 140 || code == 171 || code == 172;
}

void uncorrectable(const Patient& patient, Verdicts& out) {
  out.pass();
  for (const XidEpisode& one : xid_episodes(patient.machine)) {
    if (!is_uncorrectable(one.code())) continue;
    Finding& finding = report_xid(patient, one, out);
    if (one.code() == 94) {
      finding.severity = Severity::warning;
      finding.weight = 65;
      finding.impact.text = "the program that hit it ended; others go on. Reset when convenient";
    } else {
      finding.impact.text =
          "all programs on the GPU are affected; data may be lost. The GPU must "
          "be reset before the next";
    }
  }
}

// The remapper's own word, where a tool gave it, is newer than the log's.
void report_flag(const Machine& machine, DeviceId id, const Fact<bool>& flag, std::string what,
                 std::string text, std::string impact, std::vector<RemedyStep> remedy,
                 Verdicts& out) {
  Finding& finding = out.fail(machine, id, std::move(text));
  finding.evidence = {evidence(machine, std::move(what), "Yes", "No", flag.source())};
  finding.impact.text = std::move(impact);
  finding.remedy = std::move(remedy);
}

bool nothing_said(const Patient& patient, DeviceId id, const Fact<bool>& flag, Verdicts& out) {
  if (flag || has(patient, Need::kernel_log)) return false;
  out.unknown(subject_of(patient.machine, id), Need::gpu_health);
  return true;
}

std::string address_of(const Machine& machine, DeviceId id) {
  return machine[id].address ? machine[id].address->text() : std::string("GPU");
}

void remap_failed(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::set<PciAddress> told;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& flag = machine[id].gpu->remapping_failed;
    if (nothing_said(patient, id, flag, out)) continue;
    if (!flag || !*flag) {
      out.pass();
      continue;
    }
    if (machine[id].address) told.insert(*machine[id].address);
    report_flag(machine, id, flag, "Remapping Failure Occurred",
                "a memory row could not be remapped: no spare row is left",
                "memory errors go on at that place: jobs on the GPU end again and again",
                steps_of("RESET_GPU", address_of(machine, id)), out);
  }
  for (const XidEpisode& one : xid_episodes(machine)) {
    if (one.code() != 64 && one.code() != 157) continue;
    if (one.address && told.contains(*one.address)) continue;
    Finding& finding = report_xid(patient, one, out);
    if (one.code() == 157) finding.severity = Severity::warning;
    finding.impact.text =
        "memory errors go on at that place; a GPU that says so after a reset, "
        "too, is replaced (RMA)";
  }
}

void remap_pending(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::set<PciAddress> known;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& flag = machine[id].gpu->remapping_pending;
    if (nothing_said(patient, id, flag, out)) continue;
    if (flag && machine[id].address) known.insert(*machine[id].address);
    if (!flag || !*flag) {
      out.pass();
      continue;
    }
    report_flag(machine, id, flag, "Remapping pending", "a memory row waits to be remapped",
                "the row stays in use, and may fail again, until the GPU is reset",
                steps_of("RESET_GPU", address_of(machine, id)), out);
  }
  for (const XidEpisode& one : xid_episodes(machine)) {
    if (one.code() != 63 && one.code() != 156) continue;
    if (one.address && known.contains(*one.address)) continue;
    Finding& finding = report_xid(patient, one, out);
    finding.impact.text = "the row stays in use, and may fail again, until the GPU is reset";
    finding.remedy = steps_of("RESET_GPU", one.address ? one.address->text() : "GPU");
  }
}

Rule uncorrectable_rule() {
  return {
      .id = "GPU003",
      .name = "gpu-memory-uncorrectable",
      .severity = Severity::error,
      .weight = 90,
      .needs = {Need::kernel_log},
      .explains = {{"GPU005", Relation::same_device},
                   {"GPU009", Relation::same_device},
                   {"GPU011", Relation::same_device},
                   {"NCC020", Relation::anything},
                   {"NCC104", Relation::anything},
                   {"NCC105", Relation::anything}},
      .look = unknown_once<uncorrectable>,
      .page = {.what = "GPU memory had an error that ECC could not repair (Xid 48, 94, 95, 140).",
               .why = "Contained (94): only the program that touched it ends. Uncontained (95), "
                      "double-bit (48) and unrecovered (140): the GPU must be reset before "
                      "anything else runs. Rows are remapped at that reset.",
               .by_hand = "sudo dmesg -T | grep -E 'Xid.*: (48|63|64|94|95|140)'; nvidia-smi -q -d "
                          "ECC,ROW_REMAPPER",
               .remedy = "Reset the GPU. If it comes back, or rows run out (Xid 64), return it; "
                         "dcgmi diag -r 3 decides.",
               .benign_if = "Once, and the row was remapped since: single events happen. 94 is a "
                            "warning only.",
               .references = {"NVIDIA GPU Memory Error Management",
                              "NVIDIA Xid Catalog, Xids 48, 94, 95 and 140"}}};
}

Rule failed_rule() {
  return {
      .id = "GPU004",
      .name = "row-remap-failed",
      .severity = Severity::error,
      .weight = 95,
      .needs = {Need::gpus},
      .explains = {{"GPU003", Relation::same_device},
                   {"GPU005", Relation::same_device},
                   {"GPU009", Relation::same_device},
                   {"GPU011", Relation::same_device}},
      .look = unknown_once<remap_failed>,
      .page = {.what = "A row of GPU memory is bad and could not be replaced by a spare one (Xid "
                       "64, Remapping Failure Occurred).",
               .why = "The bad row stays in use. NVIDIA's criterion for returning a GPU is this "
                      "flag. Xids 63 and 64 of one event are one fault, not two.",
               .by_hand = "nvidia-smi -q -d ROW_REMAPPER; sudo dmesg -T | grep 'Xid.*: 64'",
               .remedy = "Reset the GPU once. If the flag stays, return the GPU.",
               .benign_if = "The flag is No after the reset: writing the InfoROM failed once.",
               .references = {"NVIDIA GPU Memory Error Management, row remapping and RMA policy",
                              "NVIDIA Xid Catalog, Xid 64"}}};
}

Rule pending_rule() {
  return {
      .id = "GPU005",
      .name = "row-remap-pending",
      .severity = Severity::warning,
      .weight = 40,
      .needs = {Need::gpus},
      .explains = {{"GPU009", Relation::same_device}},
      .look = unknown_once<remap_pending>,
      .page = {.what = "A bad row of GPU memory will be replaced at the next reset (Xid 63).",
               .why = "The GPU goes on, but the row is still in use until then, so the next error "
                      "may end a job.",
               .by_hand = "nvidia-smi -q -d ROW_REMAPPER | grep Pending; sudo dmesg -T | grep "
                          "'Xid.*: 63'",
               .remedy = "Reset the GPU when no job runs.",
               .benign_if = "The GPU was reset since: Remapping pending is No. The log alone "
                            "cannot tell.",
               .references = {"NVIDIA GPU Memory Error Management, row remapping",
                              "NVIDIA Xid Catalog, Xid 63"}}};
}

}  // namespace

std::vector<Rule> xid_memory_rules() {
  return {uncorrectable_rule(), failed_rule(), pending_rule()};
}

}  // namespace railgauge::judge
