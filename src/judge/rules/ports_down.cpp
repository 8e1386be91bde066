// RDMA ports that are down, and which of them matter: a rail whose siblings work, or the only port
// there is. The second port of a card that works through its first, or an adapter of another model
// beside active ones, is idle and no fault.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/ports_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

// An image GUID that more ports share than a card has was made unreadable, and tells nothing.
bool is_one_cards(const std::vector<PortView>& all, const std::string& image) {
  constexpr int most_ports = 2;
  return std::count_if(all.begin(), all.end(), [&](const PortView& view) {
           const auto& other = view.facts().system_image_guid;
           return other && *other == image;
         }) <= most_ports;
}

bool same_card(const std::vector<PortView>& all, const PortView& a, const PortView& b) {
  if (a.nic == b.nic) return true;
  const auto& one = a.device->address;
  const auto& other = b.device->address;
  if (one && other)
    return one->domain == other->domain && one->bus == other->bus && one->device == other->device;
  const auto& image = a.facts().system_image_guid;
  return image && b.facts().system_image_guid && *image == *b.facts().system_image_guid &&
         is_one_cards(all, *image);
}

bool same_model(const PortView& a, const PortView& b) {
  if (a.facts().board_id && b.facts().board_id) return *a.facts().board_id == *b.facts().board_id;
  if (a.facts().hca_type && b.facts().hca_type) return *a.facts().hca_type == *b.facts().hca_type;
  return a.device->pci && b.device->pci && a.device->pci->id && b.device->pci->id &&
         *a.device->pci->id == *b.device->pci->id;
}

struct Company {
  std::size_t active = 0;        // ports that work, anywhere
  std::size_t same_model = 0;    // of the same model, on other cards
  bool card_is_active = false;   // another port of the same card works
  bool models_are_told = false;  // whether models can be compared at all
};

Company company(const std::vector<PortView>& all, const PortView& view) {
  Company out;
  out.models_are_told =
      view.facts().board_id || view.facts().hca_type || (view.device->pci && view.device->pci->id);
  for (const PortView& other : all) {
    if (!is_active(*other.port) || other.port == view.port) continue;
    ++out.active;
    if (same_card(all, view, other))
      out.card_is_active = true;
    else if (same_model(view, other))
      ++out.same_model;
  }
  return out;
}

std::string how(const NicPort& port) {
  if (!port.physical_state) return "is down";
  if (*port.physical_state == "Polling")
    return "is down and polling: it hears nothing from the other end";
  if (*port.physical_state == "Disabled") return "is down: it is disabled";
  return fmt::format("is down ({})", *port.physical_state);
}

std::vector<RemedyStep> remedy(const PortView& view) {
  const std::string name = rdma_name_of(view);
  if (view.port->physical_state && *view.port->physical_state == "Disabled")
    return {root_step("bring the port up",
                      is_ethernet(view) ? fmt::format("ip link set {} up", interface_of(view))
                                        : fmt::format("ibportstate -C {} -D 0 {} enable", name,
                                                      view.port->number),
                      Risk::disturbs),
            step("see whether it trains", fmt::format("ibstat {}", name))};
  return {
      step("see cable, module and what the port hears", fmt::format("sudo mlxlink -d {} -m", name)),
      step("plug the cable anew at both ends, look at the switch's port (enabled? same speed "
           "and FEC?), then swap the cable with that of a port that works"),
      step("see whether the port is back", fmt::format("ibstat {}", name))};
}

Finding& report(Verdicts& out, const Machine& machine, const PortView& view, std::string text) {
  Finding& finding = fail_port(out, machine, view, std::move(text));
  finding.evidence.push_back(
      evidence(machine, "state", *view.port->state, "ACTIVE", view.port->state.source()));
  if (view.port->physical_state)
    finding.evidence.push_back(evidence(machine, "physical state", *view.port->physical_state,
                                        "LinkUp", view.port->physical_state.source()));
  finding.remedy = remedy(view);
  return finding;
}

void idle(Verdicts& out, const Machine& machine, const PortView& view, const char* why) {
  Finding& note = report(out, machine, view, how(*view.port) + "; " + why);
  note.severity = Severity::note;
  note.weight = 10;
  note.remedy.clear();
}

void down(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto all = port_views(machine);
  for (const PortView& view : all) {
    if (!view.facts().rdma_device && !is_infiniband(view)) continue;  // NET010's
    if (!view.port->state) {
      if (view.facts().rdma_device && view.port->link_layer)
        out.unknown(subject_of(machine, view), Need::rdma_ports);
      continue;
    }
    if (!is_down(*view.port)) {
      out.pass();
      continue;
    }
    const Company beside = company(all, view);
    if (beside.card_is_active) {
      idle(out, machine, view, "another port of the same card is active");
      continue;
    }
    if (beside.active > 0 && beside.models_are_told && beside.same_model == 0) {
      idle(out, machine, view, "adapters of another model are active");
      continue;
    }
    std::string text = how(*view.port);
    if (beside.same_model > 0)
      text += fmt::format("; {} like it {} active", counted(beside.same_model, "port"),
                          beside.same_model == 1 ? "is" : "are");
    else if (beside.active == 0)
      text += "; no RDMA port of this machine is active";
    Finding& finding = report(out, machine, view, std::move(text));
    const std::size_t whole = beside.same_model + 1;
    if (beside.active == 0) {
      finding.weight = 95;
      finding.impact.text = "jobs over several machines fall back to TCP or do not start";
      finding.impact.lost_fraction = 1;
    } else if (beside.same_model > 0) {
      finding.impact.lost_fraction = 1.0 / static_cast<double>(whole);
      finding.impact.text = fmt::format(
          "1 of {} rails is missing: its traffic shares the others, and every node of the job "
          "waits for this one",
          whole);
    }
  }
}

}  // namespace

std::vector<Rule> port_down_rules() {
  return {
      Rule{
          .id = "RDM001",
          .name = "rdma-port-down",
          .severity = Severity::error,
          .weight = 85,
          .needs = {Need::rdma_ports},
          .explains = {{"NET010", Relation::same_device},
                       {"RDM002", Relation::same_device},
                       {"NCC001", Relation::anything},
                       {"NCC202", Relation::anything}},
          .look = down,
          .page =
              {.what = "An RDMA port that jobs should use is down.",
               .why = "NCCL leaves out ports that are down and says so only at level INFO. One of "
                      "eight rails missing costs 1/8 of the node's network, and since collectives "
                      "wait for the slowest node, 1/8 of the whole job's. With no port up NCCL "
                      "uses TCP: 1-3 GB/s instead of 25-50 GB/s a port.",
               .by_hand = "ibstat; ibv_devinfo\n"
                          "State: Down with Physical state: Polling means that the port hears "
                          "nothing: cable, module or switch. \"Rate: 10\" is no rate, it stands "
                          "there when nothing is negotiated. Disabled means that somebody turned "
                          "it off. sudo mlxlink -d DEVICE -m shows the module and the light.",
               .remedy = "Polling: plug or swap the cable, look at the switch's port. Disabled: ip "
                         "link set INTERFACE up, or ibportstate enable.",
               .benign_if =
                   "The port is not cabled by design: the second port of a dual-port card, "
                   "a management or storage adapter of another model.",
               .references = {"InfiniBand Architecture Specification, volume 1, 7.2 (link states) "
                              "and 14.2.5.6 (PortInfo)",
                              "ibstat(8), mlxlink user manual"}}},
  };
}

}  // namespace railgauge::judge
