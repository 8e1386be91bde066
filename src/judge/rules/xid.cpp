// Xids by NVIDIA's catalogue: faults of programs, and those that no other rule of the family knows.
#include "judge/rules/xid.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/unknown_once.h"
#include "judge/rules/xid_episodes.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Those that rules of their own judge, and 154, which GPU009 reads.
constexpr std::array<int, 23> judged_elsewhere{48,  63,  64,  74,  79,  94,  95,  119,
                                               120, 136, 140, 144, 145, 146, 147, 148,
                                               149, 150, 154, 156, 157, 171, 172};

// The cause of a program's end lies before these two; alone they say that it was stopped.
bool only_stopped(int code) { return code == 43 || code == 45 || code == 14; }

void application(const Patient& patient, Verdicts& out) {
  out.pass();
  for (const XidEpisode& one : xid_episodes(patient.machine)) {
    const XidRow* row = patient.advice.xid(one.code());
    if (row == nullptr || !row->application) continue;
    Finding& finding = report_xid(patient, one, out);
    finding.text += only_stopped(one.code()) ? ": its program ended or was stopped"
                                             : ": usually the program's fault, not the machine's";
    if (only_stopped(one.code())) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
    finding.impact.text = "that program ended; other programs and the GPU go on";
  }
}

Severity severity_of(const XidRow& row) {
  if (row.action == "IGNORE" || row.action == "XID_154") return Severity::note;
  if (row.action == "RESTART_APP" || contains(row.note, "unused")) return Severity::warning;
  return Severity::error;
}

void other(const Patient& patient, Verdicts& out) {
  out.pass();
  for (const XidEpisode& one : xid_episodes(patient.machine)) {
    const XidRow* row = patient.advice.xid(one.code());
    if (row != nullptr && row->application) continue;
    if (std::find(judged_elsewhere.begin(), judged_elsewhere.end(), one.code()) !=
        judged_elsewhere.end())
      continue;
    Finding& finding = report_xid(patient, one, out);
    finding.severity = row != nullptr ? severity_of(*row) : Severity::warning;
    if (finding.severity == Severity::error) finding.weight = 70;
    if (finding.severity == Severity::note) finding.weight = 20;
    if (row == nullptr) finding.text += ": newer than our table; see NVIDIA's catalogue";
    if (finding.impact.text.empty())
      finding.impact.text = finding.severity == Severity::note ? "none: the driver handled it"
                                                               : "programs on that GPU end or hang";
  }
}

Rule application_rule() {
  return {
      .id = "GPU007",
      .name = "xid-application",
      .severity = Severity::warning,
      .weight = 45,
      .needs = {Need::kernel_log},
      .explains = {{"NCC020", Relation::anything},
                   {"NCC104", Relation::anything},
                   {"NCC105", Relation::anything}},
      .look = unknown_once<application>,
      .page = {.what = "The driver reported an Xid that programs cause: a bad address, an illegal "
                       "instruction, a stopped channel (13, 31, 43, 45, 69, 137).",
               .why = "The program ended, and its peers wait for it until they time out. The GPU "
                      "is healthy. Draining the node for these wastes good machines, which is what "
                      "many monitors do. Xids that follow at once (43, 45, also 62 after 31) are "
                      "consequences of the first.",
               .by_hand = "sudo dmesg -T | grep 'NVRM: Xid'\n"
                          "Read the first of each GPU, not the last.",
               .remedy = "Run the program under compute-sanitizer, or with CUDA_LAUNCH_BLOCKING=1. "
                         "If different programs fail so on one GPU only, run dcgmi diag -r 3 on "
                         "it.",
               .benign_if = "43, 45 alone: somebody stopped the program, or it was killed (a "
                            "note). Development of CUDA code.",
               .references = {"NVIDIA Xid Catalog, Xids 13, 31, 43 and 45",
                              "NVIDIA GPU debug guidelines, Xid messages"}}};
}

Rule other_rule() {
  return {
      .id = "GPU008",
      .name = "xid-other",
      .severity = Severity::warning,
      .weight = 50,
      .needs = {Need::kernel_log},
      .explains = {{"GPU009", Relation::same_device},
                   {"NCC020", Relation::anything},
                   {"NCC105", Relation::anything}},
      .look = unknown_once<other>,
      .page = {.what = "The driver reported another Xid; NVIDIA's catalogue says what it asks for.",
               .why = "Codes that need a reset (62, 109, 143, 158) leave the GPU unusable until "
                      "then: an error. Those that only ended a program are warnings, and those to "
                      "be ignored are notes.",
               .by_hand = "sudo dmesg -T | grep 'NVRM: Xid'\n"
                          "then the number in NVIDIA's Xid catalogue.",
               .remedy = "As the catalogue says: start the program again, reset the GPU, power the "
                         "node off and on; if it comes back, the driver's report to the maker.",
               .benign_if = "The catalogue's action is IGNORE (a note), or it follows an earlier "
                            "Xid of the same GPU at once: then only the first is reported.",
               .references = {"NVIDIA Xid Catalog (Analyzing Xid Errors with the Xid Catalog)"}}};
}

}  // namespace

Family xid_rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = xid_hardware_rules();
    for (Rule& rule : xid_memory_rules()) out.push_back(std::move(rule));
    for (Rule& rule : gpu_driver_rules()) out.push_back(std::move(rule));
    out.push_back(application_rule());
    out.push_back(other_rule());
    return out;
  }();
  return list;
}

}  // namespace railgauge::judge
