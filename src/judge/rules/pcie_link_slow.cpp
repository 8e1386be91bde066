// PCIe links at a lower generation than both ends can do, what the kernel said about bandwidth, and
// adapters whose ports are faster than their slot.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/strings.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"
#include "model/power.h"

namespace railgauge::judge {
namespace {

using namespace model;

enum class Load : std::uint8_t { working, idle, unknown };

// P0 to P2 are working states, but data-centre GPUs stay in P0 at rest: utilization decides first.
Load load_of(const Device& gpu) {
  if (!gpu.gpu) return Load::working;
  if (gpu.gpu->utilization_percent && *gpu.gpu->utilization_percent > 0) return Load::working;
  if (saves_power(gpu)) return Load::idle;
  if (gpu.gpu->utilization_percent) return Load::idle;
  return gpu.gpu->p_state ? Load::working : Load::unknown;
}

void report_slow(const Machine& machine, const Link& link, Verdicts& out) {
  const Device& device = machine[link.a];
  const bool unseen = port_above_unseen(machine, link.a);
  std::string says =
      fmt::format("runs at {} of {}", link.speed->text(), link.speed_possible->text());
  if (const std::string rates = rates_of(link); !rates.empty()) says += ": " + rates;
  if (device.kind == DeviceKind::nic && link.as_found)
    says +=
        fmt::format(", too little for a port above {:.0f} Gb/s", link.as_found->value * 8 / 1e9);
  if (unseen) says += "; the port above was not seen";
  Finding& finding = out.fail(machine, link.a, std::move(says));
  if (!unseen) {
    finding.severity = Severity::error;
    finding.weight = 70;
  }
  finding.evidence = {evidence(machine, "link speed", link.speed->text(),
                               link.speed_possible->text(), link.speed.source())};
  if (device.gpu && device.gpu->p_state)
    finding.evidence.push_back(
        evidence(machine, "P-state", *device.gpu->p_state, {}, device.gpu->p_state.source()));
  set_cost(finding, link,
           device.kind == DeviceKind::nic
               ? "GPUDirect RDMA and the network stop at the link's rate, below the port's; "
                 "adapters do not lower their speed at rest"
               : "copies to the host and GPUDirect RDMA over this link slow down in proportion");
  finding.remedy = {
      {.text = "set the slot's link speed in the BIOS to Auto or to the full generation; reseat "
               "the card and riser; then train the link again and look",
       .command = fmt::format("sudo lspci -vvv -s {} | grep -E 'LnkCap:|LnkSta:|LnkCtl2:'",
                              device.address ? device.address->text() : "ADDRESS"),
       .needs_root = true,
       .needs_reboot = true,
       .risk = Risk::interrupts,
       .risk_text = "the machine is powered off for it"}};
}

void slow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto serving = serving_devices(machine);
  for (const Link& link : machine.links) {
    if (link.kind != LinkKind::pcie || !serving.contains(link.a)) continue;
    const Device& device = machine[link.a];
    if (device.pci && device.pci->physical_function) continue;
    const std::string subject = subject_of(machine, link.a);
    if (!link.speed || !link.speed_possible || link.speed.source().trust <= Trust::file) {
      out.unknown(subject, Need::pcie_link);
    } else if (*link.speed >= *link.speed_possible) {
      out.pass();
    } else if (link.speed_possible.source().trust <= Trust::catalogue) {
      out.unknown(subject, "what the slot can do: the faster speed is only the board's data",
                  "sudo lspci -vvv");
    } else if (links_are_virtual(patient)) {
      out.unknown(subject, "the link as the host sees it: a guest's is the hypervisor's",
                  "railgauge check --trust-virtual-links");
    } else if (device.gpu && load_of(device) != Load::working) {
      // With a load the generation rises within milliseconds.
      out.unknown(subject, "the link while the GPU works: an idle GPU lowers its speed",
                  "nvidia-smi --query-gpu=index,pstate,utilization.gpu,pcie.link.gen.current "
                  "--format=csv");
    } else {
      report_slow(machine, link, out);
    }
  }
}

struct Limited {
  double available_gbit = 0;
  double capable_gbit = 0;
  std::string now;      // "8.0 GT/s PCIe x1"
  std::string capable;  // "8.0 GT/s PCIe x2"
};

// The word before `end`, as a number.
std::optional<double> number_before(std::string_view text, std::string_view end) {
  const auto at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const auto words = split_blank(text.substr(0, at));
  return words.empty() ? std::nullopt : parse_double(words.back());
}

std::string between(std::string_view text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + from.size());
  return std::string(trim(text.substr(0, text.find(to))));
}

std::optional<Limited> read_limited(const std::string& text) {
  const auto available = number_before(text, " Gb/s available");
  const std::string rest = between(text, "(capable of ", ")");
  const auto capable = number_before(rest, " Gb/s with");
  if (!available || !capable) return std::nullopt;
  return Limited{*available, *capable, between(text, "limited by ", " link"),
                 between(rest, "Gb/s with ", " link")};
}

std::string lanes_in(const std::string& words) {
  const auto parts = split_blank(words);
  return parts.empty() ? std::string() : std::string(parts.back());
}

void report_limited(const Machine& machine, const Event& event, Verdicts& out) {
  const auto said = read_limited(event.text);
  const auto device = event.device ? machine.at(*event.device) : std::nullopt;
  const std::string port = event.reporter ? " at " + event.reporter->text() : std::string();
  std::string says =
      said ? fmt::format("the kernel counts {:.1f} Gb/s of {:.1f} Gb/s: {} of {}{} is the limit",
                         said->available_gbit, said->capable_gbit, said->now, said->capable, port)
           : "the kernel says that its PCIe bandwidth is limited" + port;
  Finding& finding =
      device ? out.fail(machine, *device, std::move(says))
             : out.fail(event.device ? event.device->text() : "a device", std::move(says));
  if (const auto narrow = event.reporter ? machine.at(*event.reporter) : std::nullopt)
    finding.devices.push_back(*narrow);
  const bool gpu = device && machine[*device].kind == DeviceKind::gpu;
  if (gpu && said && lanes_in(said->now) == lanes_in(said->capable)) {
    finding.severity = Severity::note;
    finding.text += "; only the speed is low, as of an idle GPU when its driver starts";
  }
  finding.evidence = {{"kernel log", event.text, {}, machine.sources.text(event.source)}};
  finding.impact.text = "everything that the device sends or receives stops at the narrow link";
  if (said && said->capable_gbit > 0) {
    finding.impact.now = gigabits_per_second(said->available_gbit);
    finding.impact.could = gigabits_per_second(said->capable_gbit);
    finding.impact.lost_fraction = 1 - said->available_gbit / said->capable_gbit;
  }
  finding.remedy = {{.text = "look at the port that the kernel names: the slot's lanes and speed, "
                             "its riser, the BIOS setting",
                     .command = fmt::format("sudo lspci -vvv -s {} | grep -E 'LnkCap:|LnkSta:'",
                                            event.reporter ? event.reporter->text() : "PORT"),
                     .needs_root = true}};
}

void limited(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::set<PciAddress> told;
  for (const Event& event : machine.events) {
    if (event.kind == EventKind::pcie_bandwidth) out.pass();
    if (event.kind != EventKind::pcie_limited) continue;
    if (event.device && !told.insert(*event.device).second) continue;
    const auto device = event.device ? machine.at(*event.device) : std::nullopt;
    const bool storage = device && machine[*device].kind == DeviceKind::nvme;
    const bool slow_nic =
        device && machine[*device].kind == DeviceKind::nic && !is_fast_nic(machine[*device]);
    if (links_are_virtual(patient)) {
      out.unknown("host", "the link as the host sees it: a guest's is the hypervisor's",
                  "railgauge check --trust-virtual-links");
    } else if (storage || slow_nic) {
      out.pass();
    } else {
      report_limited(machine, event, out);
    }
  }
}

// Functions of one card share the card's link.
struct Card {
  DeviceId first;
  std::vector<DeviceId> functions;
  BytesPerSecond fastest;  // of one port
  BytesPerSecond sum;
  const Link* link = nullptr;
  SourceRef rate_source;
};

std::vector<Card> cards_of(const Machine& machine) {
  std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>, Card> cards;
  for (const Link& link : machine.links) {
    const Device& device = machine[link.a];
    if (link.kind != LinkKind::pcie || !device.nic || !device.address || !link.as_found) continue;
    if (device.pci && device.pci->physical_function) continue;
    const auto [at, made] =
        cards.try_emplace({device.address->domain, device.address->bus, device.address->device});
    Card& card = at->second;
    if (made) card.first = link.a;
    card.functions.push_back(link.a);
    card.link = &link;
    for (const NicPort& port : device.nic->ports) {
      if (!port.rate) continue;
      card.sum = card.sum + *port.rate;
      if (port.rate->value <= card.fastest.value) continue;
      card.fastest = *port.rate;
      card.rate_source = port.rate.source();
    }
  }
  std::vector<Card> out;
  for (const auto& [place, card] : cards) out.push_back(card);
  return out;
}

void above_slot(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const Card& card : cards_of(machine)) {
    if (!(card.fastest.value > 0)) {
      out.unknown(subject_of(machine, card.first), Need::rdma_ports);
      continue;
    }
    const BytesPerSecond slot = *card.link->as_found;
    if (links_are_virtual(patient)) {
      out.unknown(subject_of(machine, card.first),
                  "the link as the host sees it: a guest's is the hypervisor's",
                  "railgauge check --trust-virtual-links");
      continue;
    }
    if (card.sum.value <= slot.value) {
      out.pass();
      continue;
    }
    const bool one = card.fastest.value > slot.value;
    Finding& finding =
        out.fail(machine, card.first,
                 fmt::format("{} of {} on a PCIe link of {}", one ? "a port" : "all ports together",
                             text(one ? card.fastest : card.sum), text(slot)));
    finding.devices = card.functions;
    if (!one) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
    finding.evidence = {evidence(machine, "port rate", text(card.fastest), {}, card.rate_source),
                        evidence(machine, "PCIe link", text(slot), {}, card.link->width.source())};
    finding.impact.text =
        "the port cannot reach its line rate: the rest waits in the adapter and "
        "turns into pause frames or discards";
    finding.impact.now = slot;
    finding.impact.could = one ? card.fastest : card.sum;
    finding.impact.lost_fraction = 1 - slot.value / finding.impact.could->value;
    finding.remedy = {
        {.text = "move the adapter to a slot of the generation and width that its port needs, or "
                 "plan with the slot's rate",
         .command = fmt::format("sudo lspci -vvv -s {} | grep -E 'LnkCap:|LnkSta:'",
                                machine[card.first].address->text()),
         .needs_root = true}};
  }
}

Rule slow_rule() {
  return {
      .id = "PCI001",
      .name = "pcie-link-slow",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::pcie_link},
      .explains = {{"PCI003", Relation::same_path}, {"PCI021", Relation::same_device}},
      .look = unknown_once<slow>,
      .page = {.what = "A PCIe link of a GPU, an adapter or a switch runs at a lower generation "
                       "than both of its ends can do.",
               .why = "Each generation doubles the rate: Gen3 x16 gives 15.8 GB/s (126 Gb/s), Gen4 "
                      "31.5, Gen5 63. A 200 Gb/s port on Gen3 x16 stops at 126 Gb/s. Links fall "
                      "back when training at the higher speed fails: riser, retimer, connector, or "
                      "a limit in the BIOS.",
               .by_hand = "sudo lspci -vvv -s ADDRESS | grep -E 'LnkCap:|LnkSta:'\n"
                          "\"Speed 8GT/s (downgraded)\" below LnkCap. For a GPU put a load on it "
                          "first: nvidia-smi --query-gpu=pstate,pcie.link.gen.current --format=csv",
               .remedy = "Set the slot's speed in the BIOS to Auto, reseat card and riser, look "
                         "for AER errors at the port above. With a riser or retimer that cannot do "
                         "the speed, replace it.",
               .benign_if = "The GPU is idle (P8, or no load): it lowers its speed to save power "
                            "and raises it with the first work, so it is not judged then. A Gen4 "
                            "card in a Gen5 slot is as fast as it can be. Links of storage, "
                            "chipset and management are not judged, nor those in a guest.",
               .references = {"PCI Express Base Specification, 7.5.3.8 (Link Status)",
                              "nvidia-smi(1), PCIe generation"}}};
}

Rule limited_rule() {
  return {
      .id = "PCI003",
      .name = "pcie-bandwidth-limited",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::kernel_log},
      .explains = {},
      .look = unknown_once<limited>,
      .page = {.what = "The kernel said at start that a device gets less PCIe bandwidth than it "
                       "could use, and which port is the narrow one.",
               .why = "The kernel looks at every link up to the root, so this is the best generic "
                      "evidence of a path that is too narrow, and it names the port.",
               .by_hand = "sudo dmesg | grep 'available PCIe bandwidth'\n"
                          "\"limited by 8.0 GT/s PCIe x1 link at 0003:00:00.0\" names speed, width "
                          "and port; without \"limited by\" all is well.",
               .remedy = "Look at the port that is named: lanes of the slot, riser, bifurcation, "
                         "link speed in the BIOS.",
               .benign_if = "The device could not use more anyway (storage, slow adapters: not "
                            "judged), or it is a GPU of which only the speed was low while its "
                            "driver started (a note). In a guest the link is invented.",
               .references = {"Linux kernel, pcie_print_link_status() in drivers/pci/pci.c"}}};
}

Rule above_slot_rule() {
  return {
      .id = "PCI021",
      .name = "nic-above-its-slot",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::pcie_link, Need::nics},
      .explains = {{"RDM012", Relation::same_device}, {"NCC207", Relation::anything}},
      .look = unknown_once<above_slot>,
      .page = {.what = "A network port is faster than the PCIe link of its adapter.",
               .why = "400 Gb/s are 50 GB/s; Gen4 x16 carries 31.5 GB/s before packet headers, so "
                      "such a port reaches at most 63 % of its rate. What arrives faster is paused "
                      "or discarded, which slows other senders, too.",
               .by_hand = "ibv_devinfo -v | grep -E 'hca_id|active_speed|active_width'; sudo lspci "
                          "-vvv -s ADDRESS | grep LnkSta:\n"
                          "lanes x 0.985 (Gen3), 1.97 (Gen4), 3.94 (Gen5) GB/s against the port's "
                          "Gb/s / 8.",
               .remedy = "Use a slot of the generation and width that the port needs, or plan with "
                         "the slot's rate.",
               .benign_if = "Only both ports together exceed the link and just one carries traffic "
                            "(a note). In a guest the link is the hypervisor's and not judged.",
               .references = {"PCI Express Base Specification, 7.5.3.8 (Link Status)",
                              "NVIDIA ConnectX user manuals, PCIe interface"}}};
}

}  // namespace

std::vector<Rule> pcie_speed_rules() { return {slow_rule(), limited_rule(), above_slot_rule()}; }

}  // namespace railgauge::judge
