// PCIe links with fewer lanes than both ends can use, and slots that have fewer than the card.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/families.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::string_view as_the_host_sees =
    "the link as the host sees it: a guest's is the hypervisor's";

// An adapter whose ports need less than four fifths of what the link gives loses nothing. The fifth
// is packet headers and flow control.
bool enough_for_its_ports(const Device& device, const Link& link) {
  const auto rates = port_rates(device);
  return rates && link.as_found && rates->value <= 0.8 * link.as_found->value;
}

bool judged(const Machine& machine, const std::set<DeviceId>& serving, const Link& link) {
  const auto& pci = machine[link.a].pci;
  return link.kind == LinkKind::pcie && serving.contains(link.a) &&
         !(pci && pci->physical_function);
}

// One lane where the port above was not seen: slots wired so exist (single-board computers, M.2 and
// mining risers); PCI018 says what it costs.
bool looks_like_a_one_lane_slot(const Machine& machine, const Link& link) {
  return *link.width == 1 && port_above_unseen(machine, link.a);
}

RemedyStep reseat(const Machine& machine, DeviceId device) {
  const auto& address = machine[device].address;
  return {.text =
              "power off; reseat the card and its riser or cable; look at the slot's lanes "
              "(bifurcation) in the BIOS; then compare LnkCap with LnkSta again",
          .command = fmt::format("sudo lspci -vvv -s {} | grep -E 'LnkCap:|LnkSta:'",
                                 address ? address->text() : "ADDRESS"),
          .needs_root = true,
          .needs_reboot = true,
          .risk = Risk::interrupts,
          .risk_text = "the machine is powered off for it"};
}

void report_narrow(const Machine& machine, const Link& link, Verdicts& out) {
  const std::string rates = rates_of(link);
  Finding& finding = out.fail(
      machine, link.a,
      fmt::format("runs x{} of x{}{}{}", *link.width, *link.width_possible,
                  rates.empty() ? "" : ": " + rates,
                  port_above_unseen(machine, link.a) ? "; the port above was not seen" : ""));
  finding.evidence = {evidence(machine, "link width", fmt::format("x{}", *link.width),
                               fmt::format("x{}", *link.width_possible), link.width.source())};
  set_cost(finding, link,
           "copies to the host and GPUDirect RDMA over this link slow down in proportion; an idle "
           "GPU lowers its speed and never its width");
  finding.remedy = {reseat(machine, link.a)};
  if (machine[link.a].kind == DeviceKind::pcie_switch)
    finding.impact.text = fmt::format("everything below shares this uplink: {} GPUs and adapters",
                                      served_by(machine, link.a).size());
}

void narrow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto serving = serving_devices(machine);
  for (const Link& link : machine.links) {
    if (!judged(machine, serving, link)) continue;
    if (!link.width || !link.width_possible) {
      out.unknown(subject_of(machine, link.a), Need::pcie_link);
    } else if (link.width.source().trust <= Trust::file) {
      out.unknown(subject_of(machine, link.a), Need::pcie_link);
    } else if (*link.width >= *link.width_possible) {
      out.pass();
    } else if (links_are_virtual(patient)) {
      out.unknown(subject_of(machine, link.a), std::string(as_the_host_sees),
                  "railgauge check --trust-virtual-links");
    } else if (enough_for_its_ports(machine[link.a], link) ||
               looks_like_a_one_lane_slot(machine, link)) {
      out.pass();
    } else {
      report_narrow(machine, link, out);
    }
  }
}

// Lanes the card has, by itself or as sold.
std::optional<int> lanes_of(const Patient& patient, const Device& device) {
  if (!device.pci) return std::nullopt;
  const Fact<int>& own = device.pci->link.max_width;
  if (own && own.source().trust > Trust::inferred) return *own;
  const GpuBoard* board = device.gpu ? patient.catalogue.board(device) : nullptr;
  if (board != nullptr && board->pcie_width > 0) return board->pcie_width;
  return std::nullopt;
}

void report_slot(const Patient& patient, const Link& link, int slot, int lanes, bool seen,
                 Verdicts& out) {
  const Machine& machine = patient.machine;
  const std::string rate = link.as_found ? ": " + text(*link.as_found) : std::string();
  Finding& finding = out.fail(
      machine, link.a,
      seen ? fmt::format("an x{} card in a slot with {} lanes{}", lanes, slot, rate)
           : fmt::format("an x{} card on {} lane{}: as in a slot wired so; the port above was "
                         "not seen",
                         lanes, slot, rate));
  if (slot * 4 <= lanes) {
    finding.severity = Severity::warning;
    finding.weight = 60;
  }
  finding.evidence = {evidence(machine, seen ? "lanes of the port above" : "link width",
                               fmt::format("x{}", slot), fmt::format("x{}", lanes),
                               seen ? link.width_possible.source() : link.width.source())};
  finding.impact.text = fmt::format(
      "a true limitation of the place: copies to the host and GPUDirect RDMA have 1/{} of what the "
      "card could use, models load so much slower; kernels that stay on the GPU lose nothing",
      lanes / std::max(slot, 1));
  if (link.as_found) {
    finding.impact.now = *link.as_found;
    finding.impact.could = *link.as_found * (static_cast<double>(lanes) / std::max(slot, 1));
    finding.impact.lost_fraction = 1 - static_cast<double>(slot) / lanes;
  }
  finding.remedy = {
      {.text = "move the card to a slot with more lanes, or live with it: keep traffic off the "
               "host. If the port's LnkCap shows more lanes than LnkSta, lanes are lost: reseat",
       .command = "sudo lspci -vvv | grep -E '^[0-9a-f]|LnkCap:|LnkSta:'",
       .needs_root = true,
       .risk = Risk::none}};
}

void slot_narrow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (links_are_virtual(patient)) {
    out.unknown("host", std::string(as_the_host_sees), "railgauge check --trust-virtual-links");
    return;
  }
  const auto serving = serving_devices(machine);
  for (const Link& link : machine.links) {
    if (!judged(machine, serving, link) || !is_gpu_or_fast_nic(machine[link.a])) continue;
    const auto lanes = lanes_of(patient, machine[link.a]);
    const bool seen = !port_above_unseen(machine, link.a);
    if (!lanes || !link.width_possible || !link.width || link.width.source().trust <= Trust::file) {
      out.unknown(subject_of(machine, link.a), Need::pcie_link);
    } else if (seen && *link.width_possible < *lanes &&
               !enough_for_its_ports(machine[link.a], link)) {
      report_slot(patient, link, *link.width_possible, *lanes, true, out);
    } else if (!seen && *link.width < *lanes && looks_like_a_one_lane_slot(machine, link) &&
               !enough_for_its_ports(machine[link.a], link)) {
      report_slot(patient, link, *link.width, *lanes, false, out);
    } else {
      out.pass();
    }
  }
}

Rule narrow_rule() {
  return {
      .id = "PCI012",
      .name = "pcie-link-narrow",
      .severity = Severity::error,
      .weight = 80,
      .needs = {Need::pcie_link},
      .explains = {{"PCI003", Relation::same_path},
                   {"PCI001", Relation::same_device},
                   {"PCI021", Relation::same_device},
                   {"NCC204", Relation::anything},
                   {"NCC208", Relation::anything}},
      .look = unknown_once<narrow>,
      .page = {.what = "A PCIe link of a GPU, an adapter or a switch runs with fewer lanes than "
                       "both of its ends can use.",
               .why = "Bandwidth is proportional to lanes: Gen5 x8 gives 31.5 GB/s where x16 gives "
                      "63 GB/s, so host copies and GPUDirect RDMA halve. Lanes are lost to a card "
                      "that is not seated, a riser, a damaged lane or a BIOS setting. Idle GPUs "
                      "lower their speed but never their width, so this holds at rest, too.",
               .by_hand = "sudo lspci -vvv -s ADDRESS | grep -E 'LnkCap:|LnkSta:'\n"
                          "LnkSta shows fewer lanes than LnkCap: \"Width x8 (downgraded)\". Look "
                          "at the port above (lspci -tv), too: a port with LnkCap x8 is a slot "
                          "with eight lanes.",
               .remedy = "Reseat the card and the riser. Look at the slot's bifurcation in the "
                         "BIOS. If the width stays low in another slot, the card is at fault; if "
                         "another card is narrow in this slot, the slot or riser is.",
               .benign_if = "The slot has no more lanes than that (PCI018 says so), the adapter's "
                            "ports need less than the link gives, or the device is storage, "
                            "chipset or management, which is not judged. In a guest the link is "
                            "the hypervisor's invention.",
               .references = {"PCI Express Base Specification, 7.5.3.6 (Link Capabilities) and "
                              "7.5.3.8 (Link Status)",
                              "lspci(8)"}}};
}

Rule slot_rule() {
  return {
      .id = "PCI018",
      .name = "pcie-slot-narrow",
      .severity = Severity::note,
      .weight = 30,
      .needs = {Need::pcie_link},
      .explains = {{"PCI003", Relation::same_path},
                   {"PCI001", Relation::same_device},
                   {"PCI021", Relation::same_device}},
      .look = unknown_once<slot_narrow>,
      .page = {.what = "A GPU or a fast adapter sits in a slot that has fewer lanes than the card.",
               .why = "Nothing is broken, and nothing can be mended by reseating: the place gives "
                      "no more. An x16 card on one Gen2 lane has 0.5 GB/s where Gen3 x16 has 15.8 "
                      "GB/s. A warning where a quarter or less of the lanes is there.",
               .by_hand = "sudo lspci -vvv -s PORT | grep LnkCap:\n"
                          "The port above the card (lspci -tv) shows the slot's lanes.",
               .remedy = "Move the card to a wider slot, change the slot's bifurcation where the "
                         "board allows it, or keep traffic off the host.",
               .benign_if = "The machine was built so and the job keeps to the GPU, or the "
                            "adapter's ports need less than the slot gives. Always true of the "
                            "half-width slots of many workstations: then it is only a note.",
               .references = {"PCI Express Base Specification, 7.5.3.6 (Link Capabilities)"}}};
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = pcie_speed_rules();
    out.push_back(narrow_rule());
    out.push_back(slot_rule());
    return out;
  }();
  return list;
}

}  // namespace

Family pcie_link_rules() { return rules(); }

}  // namespace railgauge::judge
