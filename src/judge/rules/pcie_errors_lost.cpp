// PCIe errors that lost something: non-fatal and fatal AER reports, those of the firmware, links
// that went down; and kernels that were told not to report any.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "judge/rules/pcie_errors.h"
#include "judge/rules/pcie_errors_groups.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

RemedyStep look_at_hardware() {
  return {.text =
              "drain the machine, power it off and on; if it comes back, look at riser, cable, "
              "power connectors, and exchange the card against one of another slot",
          .command = {},
          .needs_root = true,
          .needs_reboot = true,
          .risk = Risk::interrupts,
          .risk_text = "running jobs end"};
}

std::string said(const ErrorGroup& group, std::string_view kind) {
  std::string out =
      fmt::format("{} {} PCIe error{}", group.count, kind, group.count == 1 ? "" : "s");
  if (!group.bits.empty()) out += fmt::format(" ({})", fmt::join(group.bits, ", "));
  if (const std::string meaning = meaning_of(group.bits); !meaning.empty()) out += ": " + meaning;
  if (contains(group.first->text, "can't recover") ||
      contains(group.first->text, "no AER-aware driver") ||
      contains(group.first->text, "recovery failed"))
    out += "; its driver could not recover: reboot and look at the hardware";
  return out;
}

void note_if_no_traffic(const Machine& machine, const ErrorGroup& group, Finding& finding) {
  if (!carries_no_traffic(machine, group)) return;
  finding.severity = std::min(finding.severity, Severity::warning);
  finding.weight = 30;
  finding.text += "; neither a GPU nor a fast adapter is behind it";
}

void uncorrected(const Patient& patient, Verdicts& out, EventSeverity severity) {
  const Machine& machine = patient.machine;
  out.pass();
  const bool fatal = severity == EventSeverity::fatal;
  for (const ErrorGroup& group : error_groups(machine, EventKind::aer, severity)) {
    Finding& finding = fail_group(
        machine, group, said(group, fatal ? "fatal uncorrected" : "non-fatal uncorrected"), out);
    finding.impact.text = fatal ? "the link was down: what is behind it is gone until a reset, and "
                                  "so is the job"
                                : "a transaction was lost: a job may have seen an error or wrong "
                                  "data";
    finding.remedy = {look_at_hardware()};
    note_if_no_traffic(machine, group, finding);
  }
}

void nonfatal(const Patient& patient, Verdicts& out) {
  uncorrected(patient, out, EventSeverity::nonfatal);
}
void fatal(const Patient& patient, Verdicts& out) {
  uncorrected(patient, out, EventSeverity::fatal);
}

void apei(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  for (const EventSeverity severity : {EventSeverity::fatal, EventSeverity::nonfatal,
                                       EventSeverity::warning, EventSeverity::corrected}) {
    for (const ErrorGroup& group : error_groups(machine, EventKind::apei, severity)) {
      const bool corrected =
          severity == EventSeverity::corrected || severity == EventSeverity::warning;
      Finding& finding = fail_group(
          machine, group,
          said(group, corrected ? "corrected firmware-reported" : "uncorrected firmware-reported"),
          out);
      finding.impact.text = corrected ? "nothing yet: the hardware repaired it"
                                      : "data was lost, or the device is gone";
      if (corrected && !group.many) {
        finding.severity = Severity::note;
        finding.weight = 30;
      } else if (!corrected) {
        finding.severity = Severity::error;
        finding.weight = 85;
      }
      finding.remedy = {{.text = "read the firmware's own log: it names the slot",
                         .command = "sudo ipmitool sel elist",
                         .needs_root = true}};
      if (!corrected) finding.remedy.push_back(look_at_hardware());
      note_if_no_traffic(machine, group, finding);
      if (corrected && !group.many) finding.severity = Severity::note;
    }
  }
}

bool is_hot_plug_loss(const Event& event) {
  return event.kind == EventKind::pcie_hotplug && event.severity >= EventSeverity::nonfatal;
}

void link_lost(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  for (const EventSeverity severity : {EventSeverity::fatal, EventSeverity::nonfatal}) {
    for (const ErrorGroup& group : error_groups(machine, EventKind::pcie_hotplug, severity)) {
      if (!is_hot_plug_loss(*group.first)) continue;
      Finding& finding = fail_group(machine, group,
                                    severity == EventSeverity::fatal
                                        ? "the device went away or does not answer any more"
                                        : "its PCIe link went down",
                                    out);
      finding.impact.text = "what is behind the port is gone until it is reset or seated again";
      finding.remedy = {look_at_hardware()};
      note_if_no_traffic(machine, group, finding);
    }
  }
}

void hidden(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& arguments = machine.host.kernel_arguments;
  for (const std::string& word : *arguments) {
    if (!word.starts_with("pci=")) continue;
    const auto parts = split(std::string_view(word).substr(4), ',');
    if (std::find(parts.begin(), parts.end(), "noaer") == parts.end()) continue;
    Finding& finding = out.fail("host", "pci=noaer hides PCIe errors; it repairs none");
    finding.evidence = {
        evidence(machine, "kernel arguments", word, "no noaer", arguments.source())};
    finding.impact.text = "links that fail do so unseen until a GPU or adapter is gone";
    finding.remedy = {{.text = "take noaer out of the kernel arguments; if errors then flood the "
                               "log, mend their link",
                       .command = "sudo sed -i 's/pci=noaer//' /etc/default/grub && sudo "
                                  "update-grub",
                       .needs_root = true,
                       .needs_reboot = true,
                       .risk = Risk::interrupts,
                       .risk_text = "takes effect at the next boot"}};
    return;
  }
  out.pass();
}

Rule nonfatal_rule() {
  return {
      .id = "PCI006",
      .name = "aer-nonfatal",
      .severity = Severity::warning,
      .weight = 70,
      .needs = {Need::kernel_log},
      .explains = {{"PCI004", Relation::same_device},
                   {"PCI005", Relation::same_device},
                   {"GPU001", Relation::same_device}},
      .look = unknown_once<nonfatal>,
      .page = {.what = "A PCIe transaction was lost: an uncorrected error that the link survived.",
               .why = "A completion that never came, poisoned data, a request nobody knew: the "
                      "program that asked got an error or waited. It is no loss of the device, but "
                      "of data.",
               .by_hand = "sudo dmesg -T | grep -A5 'Uncorrected (Non-Fatal)'",
               .remedy = "Look which device and bit: CmpltTO and TLP (poisoned) are hardware, "
                         "UnsupReq and ACSViol mostly settings or drivers. Power off and on; then "
                         "exchange riser or card.",
               .benign_if = "Once while a device was reset, removed or its driver loaded.",
               .references = {"PCI Express Base Specification, 6.2 (Error Signaling and Logging)",
                              "Linux kernel, Documentation/PCI/pcieaer-howto.rst"}}};
}

Rule fatal_rule() {
  return {
      .id = "PCI007",
      .name = "aer-fatal",
      .severity = Severity::error,
      .weight = 95,
      .needs = {Need::kernel_log},
      .explains = {{"GPU001", Relation::same_device},
                   {"PCI004", Relation::same_device},
                   {"PCI005", Relation::same_device},
                   {"PCI006", Relation::same_device},
                   {"PCI017", Relation::same_path},
                   {"GPU020", Relation::same_path},
                   {"GPU010", Relation::anything}},
      .look = unknown_once<fatal>,
      .page = {.what = "A fatal PCIe error: the link broke, and what is behind it is gone.",
               .why = "Surprise down (SDES), data link protocol errors and malformed packets take "
                      "the link down. An Xid 79 (GPU fell off the bus) that follows is the "
                      "consequence: the link, riser, slot or power is the cause, not the GPU's "
                      "driver.",
               .by_hand = "sudo dmesg -T | grep -B1 -A6 'Uncorrected (Fatal)'\n"
                          "then look below for Xid 79 and \"can't recover\".",
               .remedy = "Power off and on. Look at riser, cables, power connectors. Exchange the "
                         "card with one of another slot and see which of both the error follows.",
               .benign_if = "A device was pulled or reset on purpose at that time.",
               .references = {"PCI Express Base Specification, 6.2 (Error Signaling and Logging)",
                              "Linux kernel, Documentation/PCI/pcieaer-howto.rst",
                              "NVIDIA Xid Catalog, Xid 79"}}};
}

Rule apei_rule() {
  return {
      .id = "PCI016",
      .name = "apei-pcie-error",
      .severity = Severity::warning,
      .weight = 65,
      .needs = {Need::kernel_log},
      .explains = {{"GPU001", Relation::same_device}, {"PCI017", Relation::same_path}},
      .look = unknown_once<apei>,
      .page = {.what = "The firmware (ACPI APEI, GHES) reported a PCIe error to the kernel.",
               .why = "On firmware-first platforms the kernel's own AER driver sees nothing, and "
                      "tools that look for \"AER:\" miss these. They mean the same: corrected ones "
                      "are repaired, others lost data or the device.",
               .by_hand = "sudo dmesg -T | grep -A12 'Hardware error from APEI'\n"
                          "event severity, section_type: PCIe error, device_id.",
               .remedy = "As with AER: a single corrected one is to be watched; many, or "
                         "uncorrected ones, are riser, slot, cable or card. The management "
                         "controller's log names the slot.",
               .benign_if = "One corrected error now and then (a note).",
               .references = {"ACPI Specification, 18 (APEI)",
                              "UEFI Specification, appendix N (PCI Express Error Section)"}}};
}

Rule lost_rule() {
  return {
      .id = "PCI017",
      .name = "pcie-link-lost",
      .severity = Severity::error,
      .weight = 85,
      .needs = {Need::kernel_log},
      .explains = {{"GPU001", Relation::same_device}},
      .look = unknown_once<link_lost>,
      .page = {.what = "A PCIe link went down, a card is not present any more, or a device does "
                       "not come back from a power state.",
               .why = "The device behind it is gone for the job and for every tool, until it is "
                      "reset or seated again.",
               .by_hand = "sudo dmesg -T | grep -E 'pciehp|Link Down|Card not present|power "
                          "state'",
               .remedy = "Power off and on; reseat; look at power and cables of the slot.",
               .benign_if = "A card or drive was pulled or reset on purpose, or only storage is "
                            "behind the port (a warning).",
               .references = {"Linux kernel, drivers/pci/hotplug/pciehp_ctrl.c",
                              "PCI Express Base Specification, 6.7 (Hot-Plug)"}}};
}

Rule hidden_rule() {
  return {
      .id = "PCI019",
      .name = "aer-hidden",
      .severity = Severity::warning,
      .weight = 30,
      .needs = {Need::kernel_arguments},
      .explains = {},
      .look = unknown_once<hidden>,
      .page = {.what = "The kernel was told not to report PCIe errors (pci=noaer).",
               .why = "It is a common advice against a log full of AER lines. The errors go on, "
                      "only unseen: each is a packet sent again, and the fatal ones are not "
                      "handled either.",
               .by_hand = "grep -o 'pci=[^ ]*' /proc/cmdline",
               .remedy = "Take noaer away, reboot, and mend the link that then complains.",
               .benign_if = "Never on a machine that shall be judged by its errors; on a desktop "
                            "with one noisy device it is a matter of taste.",
               .references = {"Linux kernel, Documentation/admin-guide/kernel-parameters.txt, "
                              "pci=noaer"}}};
}

}  // namespace

std::vector<Rule> pcie_lost_rules() {
  return {nonfatal_rule(), fatal_rule(), apei_rule(), lost_rule(), hidden_rule()};
}

}  // namespace railgauge::judge
