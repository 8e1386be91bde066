// PCIe links that run below what both of their ends can do.
#include <fmt/format.h>

#include "judge/rules/families.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool matters(const Device& device) {
  return device.kind == DeviceKind::gpu || device.kind == DeviceKind::nic ||
         device.kind == DeviceKind::pcie_switch;
}

void narrow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const Link& link : machine.links) {
    if (link.kind != LinkKind::pcie || !matters(machine[link.a])) continue;
    if (!link.width || !link.width_possible) {
      out.unknown(subject_of(machine, link.a), Need::pcie_link);
      continue;
    }
    if (*link.width >= *link.width_possible) {
      out.pass();
      continue;
    }
    if (in_virtual_machine(patient) && !patient.trust_virtual_links) {
      out.unknown(subject_of(machine, link.a), "the link as the host sees it: a guest's is virtual",
                  "railgauge check --trust-virtual-links");
      continue;
    }
    Finding& finding =
        out.fail(machine, link.a,
                 link.as_found && link.nominal
                     ? fmt::format("runs x{} of x{}: {} of {}", *link.width, *link.width_possible,
                                   text(*link.as_found), text(*link.nominal))
                     : fmt::format("runs x{} of x{}", *link.width, *link.width_possible));
    finding.evidence = {evidence(machine, "link width", fmt::format("x{}", *link.width),
                                 fmt::format("x{}", *link.width_possible), link.width.source())};
    finding.impact.text = "host copies and GPUDirect RDMA over this link slow down in proportion";
    if (link.as_found && link.nominal) {
      finding.impact.now = *link.as_found;
      finding.impact.could = *link.nominal;
      finding.impact.lost_fraction = 1 - link.as_found->value / link.nominal->value;
    }
    finding.remedy = {
        {.text = "reseat the card or riser, look at the slot's lanes in the BIOS (bifurcation), "
                 "then look again",
         .command = fmt::format("railgauge check --only PCI012"),
         .needs_reboot = true,
         .risk = Risk::interrupts,
         .risk_text = "the machine is powered off for it"}};
  }
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list{
      Rule{
          .id = "PCI012",
          .name = "pcie-link-narrow",
          .severity = Severity::error,
          .weight = 80,
          .needs = {Need::pcie_link},
          .explains = {{"PCI003", Relation::same_path}},
          .look = narrow,
          .page = {.what =
                       "A PCIe link of a GPU, an adapter or a switch runs with fewer lanes than "
                       "both of its ends can use.",
                   .why = "Bandwidth is proportional to lanes: x8 of x16 halves host copies and "
                          "GPUDirect RDMA. Lanes are lost to a card that is not seated, a riser, a "
                          "damaged lane or a BIOS setting.",
                   .by_hand = "sudo lspci -vvv -s ADDRESS | grep -E 'LnkCap:|LnkSta:'\n"
                              "LnkSta shows fewer lanes than LnkCap: \"Width x8 (downgraded)\".",
                   .remedy = "Reseat the card or the riser. Look at the slot's bifurcation in the "
                             "BIOS. If the width stays low in another slot, the card is at fault.",
                   .benign_if = "The slot has no more lanes than that, or the port is not used for "
                                "training. In a guest the link is the hypervisor's invention.",
                   .references = {"PCI Express Base Specification 6.0, 7.5.3.8 (Link Status)"}}},
  };
  return list;
}

}  // namespace

Family pcie_link_rules() { return rules(); }

}  // namespace railgauge::judge
