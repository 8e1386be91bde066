// Corrected PCIe errors: a storm, or a few of them. What could not be corrected is in
// pcie_errors_lost.cpp.
#include "judge/rules/pcie_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/rules/families.h"
#include "judge/rules/pcie_errors_groups.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

std::vector<RemedyStep> link_remedy(const ErrorGroup& group) {
  return {look_at_counters(group.address ? group.address->text() : "ADDRESS"), mend_link()};
}

std::string said(const ErrorGroup& group) {
  std::string out =
      fmt::format("{} corrected PCIe error{}", group.count, group.count == 1 ? "" : "s");
  if (!group.bits.empty()) out += fmt::format(" ({})", fmt::join(group.bits, ", "));
  if (group.per_minute) out += fmt::format(", {:.3g} a minute", *group.per_minute);
  if (const std::string meaning = meaning_of(group.bits); !meaning.empty()) out += ": " + meaning;
  return out;
}

void storm(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  for (const ErrorGroup& group : error_groups(machine, EventKind::aer, EventSeverity::corrected)) {
    if (!group.many) continue;
    Finding& finding = fail_group(machine, group, said(group), out);
    if (carries_no_traffic(machine, group)) {
      finding.severity = Severity::note;
      finding.weight = 20;
      finding.text += "; neither a GPU nor a fast adapter is behind it";
    }
    finding.impact.text =
        "each one is a packet sent again or a link that trains again: bandwidth "
        "and latency now, and the sign of a link that may fail";
    finding.remedy = link_remedy(group);
  }
}

void few(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  for (const ErrorGroup& group : error_groups(machine, EventKind::aer, EventSeverity::corrected)) {
    if (group.many) continue;
    Finding& finding = fail_group(machine, group, said(group), out);
    if (!group.per_minute) finding.text += "; the log shows no rate";
    finding.impact.text = "nothing yet: the link repaired it";
    finding.remedy = link_remedy(group);
    finding.remedy.resize(1);
  }
}

Rule storm_rule() {
  return {.id = "PCI004",
          .name = "aer-corrected-storm",
          .severity = Severity::warning,
          .weight = 70,
          .needs = {Need::kernel_log},
          .explains = {{"GPU001", Relation::same_device},
                       {"PCI005", Relation::same_device},
                       {"PCI016", Relation::same_device},
                       {"PCI025", Relation::same_device},
                       {"PCI026", Relation::same_device},
                       {"PCI001", Relation::same_path},
                       {"NCC204", Relation::anything}},
          .look = unknown_once<storm>,
          .page = {
              .what = "A PCIe link corrects errors all the time: more than 8 a minute, or many at "
                      "once.",
              .why = "Corrected errors cost no data but time: damaged packets are sent again, and "
                     "a link that trains again stands still for microseconds to milliseconds. "
                     "DCGM warns above 8 replays a minute, what NVIDIA's driver recommends as the "
                     "most. A link that is this bad often fails later: surprise down, then Xid "
                     "79.",
              .by_hand = "sudo dmesg -T | grep -E 'AER|PCIe Bus Error'; grep . "
                         "/sys/bus/pci/devices/*/aer_dev_correctable twice, a minute apart:\n"
                         "RxErr, BadTLP, BadDLLP, Timeout and Rollover that grow. The end that "
                         "counts is the receiver; the fault may be the sender or the cable.",
              .remedy = "Reseat card, riser and cable; update retimer and BIOS; turn ASPM off; "
                        "as a last resort fix the slot at a lower generation.",
              .benign_if = "A few a day: every link has a bit error now and then, and PCI005 only "
                           "notes those. Nothing but storage or management is behind the port (a "
                           "note). Advisory non-fatal ones at start are software.",
              .references = {"NVIDIA DCGM, DCGM_LIMIT_MAX_PCIREPLAY_RATE and DCGM_FR_PCI_REPLAY_"
                             "RATE",
                             "Linux kernel, Documentation/PCI/pcieaer-howto.rst",
                             "Linux kernel, Documentation/ABI/testing/sysfs-bus-pci-devices-aer",
                             "PCI Express Base Specification, 6.2 (Error Signaling and Logging)"}}};
}

Rule few_rule() {
  return {
      .id = "PCI005",
      .name = "aer-corrected",
      .severity = Severity::note,
      .weight = 30,
      .needs = {Need::kernel_log},
      .explains = {{"GPU001", Relation::same_device}},
      .look = unknown_once<few>,
      .page = {.what = "The kernel logged corrected PCIe errors, too few for a storm or without "
                       "times that would give a rate.",
               .why = "One or two a day say nothing. The bits say which layer: RxErr, BadTLP and "
                      "BadDLLP are signal integrity, Timeout and Rollover are packets that were "
                      "not acknowledged. When a GPU falls off the bus afterwards they were its "
                      "sign, and the link is the cause.",
               .by_hand = "sudo dmesg -T | grep -A4 'Corrected error'; grep . "
                          "/sys/bus/pci/devices/*/aer_dev_correctable",
               .remedy = "Watch the counters: railgauge record --interval 10s. Act when they grow.",
               .benign_if = "A few a day, or only while devices start. It is a note for that "
                            "reason.",
               .references = {"Linux kernel, Documentation/PCI/pcieaer-howto.rst"}}};
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = pcie_lost_rules();
    for (Rule& rule : pcie_counter_rules()) out.push_back(std::move(rule));
    out.push_back(storm_rule());
    out.push_back(few_rule());
    return out;
  }();
  return list;
}

}  // namespace

Family pcie_errors_rules() { return rules(); }

}  // namespace railgauge::judge
