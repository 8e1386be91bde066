// SXids: errors that NVSwitches report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "judge/rules/nvlink_fabric.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct SwitchError {
  const Event* first = nullptr;
  std::uint64_t count = 0;
  std::set<int> links;
};

// The kernel's own word, Fatal or Non-fatal, stands before the table: it differs by generation.
bool is_fatal(const Advice& advice, const Event& event) {
  if (event.severity == EventSeverity::fatal) return true;
  if (event.severity == EventSeverity::nonfatal) return false;
  const XidRow* row = advice.sxid(event.code.value_or(0));
  return row != nullptr && row->note.starts_with("fatal");
}

using Key = std::pair<std::optional<PciAddress>, int>;

std::map<Key, SwitchError> errors_of(const Patient& patient, bool fatal) {
  std::map<Key, SwitchError> out;
  for (const Event& event : patient.machine.events) {
    if (event.kind != EventKind::sxid || !event.code) continue;
    if (is_fatal(patient.advice, event) != fatal) continue;
    SwitchError& one = out[{event.device, *event.code}];
    if (one.first == nullptr) one.first = &event;
    one.count += event.count;
    if (event.link) one.links.insert(*event.link);
  }
  return out;
}

void judge(const Patient& patient, Verdicts& out, bool fatal) {
  const Machine& machine = patient.machine;
  out.pass();
  for (const auto& [key, one] : errors_of(patient, fatal)) {
    const auto& [address, code] = key;
    const XidRow* row = patient.advice.sxid(code);
    std::string text = fmt::format("SXid {}", code);
    if (row != nullptr) text += fmt::format(" ({})", row->name);
    text += fatal ? ", fatal" : ", non-fatal";
    if (!one.links.empty()) text += fmt::format(", link {}", fmt::join(one.links, ", "));
    if (one.count > 1) text += fmt::format(", {} times", one.count);
    const auto device = address ? machine.at(*address) : std::nullopt;
    Finding& finding =
        device ? out.fail(machine, *device, std::move(text))
               : out.fail(address ? "NVSwitch " + address->text() : "an NVSwitch", std::move(text));
    finding.evidence = {
        {"kernel log", one.first->text, {}, machine.sources.text(one.first->source)}};
    // The driver goes on by itself after most of them.
    if (!fatal && (row == nullptr || row->action == "IGNORE")) {
      finding.severity = Severity::note;
      finding.weight = 25;
    }
    finding.impact.text =
        fatal ? "NVLink traffic through this switch stops: jobs on all GPUs of the board end or "
                "hang, GPUs report Xid 74"
              : "the switch repaired it or dropped one packet; many on one link are a bad link";
    finding.remedy = {{.text = "see which GPU is at the other end of that link, and its counters",
                       .command =
                           "nvidia-smi nvlink -R; nvidia-smi nvlink -e; sudo dmesg -T | grep "
                           "-E 'Xid|SXid'",
                       .needs_root = true}};
    if (fatal)
      finding.remedy.push_back({.text = "reset all GPUs and NVSwitches of the board together; if "
                                        "it comes back on the same link, the board is at fault",
                                .command = "sudo nvidia-smi --gpu-reset",
                                .needs_root = true,
                                .risk = Risk::interrupts,
                                .risk_text = "all jobs on the node end"});
  }
}

void nonfatal(const Patient& patient, Verdicts& out) { judge(patient, out, false); }
void fatal(const Patient& patient, Verdicts& out) { judge(patient, out, true); }

Rule nonfatal_rule() {
  return {
      .id = "NVL012",
      .name = "sxid-nonfatal",
      .severity = Severity::warning,
      .weight = 45,
      .needs = {Need::kernel_log},
      .explains = {},
      .look = unknown_once<nonfatal>,
      .page = {.what = "An NVSwitch reported an error that it survived (SXid, non-fatal).",
               .why = "Most are repaired by the switch and need nothing. Error rates and link "
                      "interrupts (20009, 22013) that repeat on one link announce its failure.",
               .by_hand = "sudo dmesg -T | grep 'SXid.*Non-fatal'",
               .remedy = "Count them by link; when one link repeats, look at the GPU at its other "
                         "end and plan a reset.",
               .benign_if = "Single ones that NVIDIA's list says to ignore (a note).",
               .references = {"NVIDIA Fabric Manager user guide, SXid errors",
                              "NVIDIA Xid and SXid Errors with the Xid Catalog for older GPUs"}}};
}

Rule fatal_rule() {
  return {
      .id = "NVL013",
      .name = "sxid-fatal",
      .severity = Severity::error,
      .weight = 92,
      .needs = {Need::kernel_log},
      .explains = {{"GPU006", Relation::anything},
                   {"NVL012", Relation::same_device},
                   {"NVL001", Relation::anything},
                   {"NVL002", Relation::anything},
                   {"NVL003", Relation::anything},
                   {"NVL007", Relation::anything},
                   {"NCC012", Relation::anything},
                   {"NCC020", Relation::anything},
                   {"NCC105", Relation::anything}},
      .look = unknown_once<fatal>,
      .page = {.what = "An NVSwitch reported a fatal error (SXid, Fatal).",
               .why = "The switch or the link stops; the GPUs at its other end report Xid 74 as a "
                      "consequence, and jobs on the whole board end.",
               .by_hand = "sudo dmesg -T | grep 'SXid.*Fatal'; then the link number against "
                          "nvidia-smi nvlink -R",
               .remedy = "Reset all GPUs of the board together, or reboot. If the same link comes "
                         "back: the GPU at its end, else the baseboard.",
               .benign_if = "GPUs were reset or the fabric manager was stopped at that moment.",
               .references = {"NVIDIA Fabric Manager user guide, SXid errors",
                              "NVIDIA Xid and SXid Errors with the Xid Catalog for older GPUs"}}};
}

}  // namespace

std::vector<Rule> nvswitch_rules() { return {nonfatal_rule(), fatal_rule()}; }

}  // namespace railgauge::judge
