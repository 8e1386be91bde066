// Rates and MTUs of RDMA ports: below their siblings', or below what the link could be.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/rules/ports_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Cards that one can expect the same of: the maker's board number, else the chip.
std::string model_of(const NicFacts& nic) {
  return nic.board_id.value_or("") + "/" + nic.hca_type.value_or("");
}

// "1X NDR": one lane of four.
bool one_lane(const NicPort& port) {
  return port.rate_words && port.rate_words->starts_with("1X ");
}

std::map<std::string, BytesPerSecond> fastest_by_model(const std::vector<PortView>& all) {
  std::map<std::string, BytesPerSecond> out;
  for (const PortView& view : all) {
    if (!is_active(*view.port) || !view.port->rate) continue;
    auto& most = out[model_of(view.facts())];
    most = std::max(most, *view.port->rate);
  }
  return out;
}

void slow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto all = port_views(machine);
  const auto fastest = fastest_by_model(all);
  for (const PortView& view : all) {
    if (!view.facts().rdma_device || !is_active(*view.port)) continue;
    const std::string model = model_of(view.facts());
    if (!view.port->rate) {
      out.unknown(subject_of(machine, view), "the rate of the port", "ibstat");
      continue;
    }
    const BytesPerSecond rate = *view.port->rate;
    const BytesPerSecond could =
        one_lane(*view.port) ? std::max(rate * 4, fastest.at(model)) : fastest.at(model);
    if (model == "/" && !one_lane(*view.port)) continue;  // nothing says that cards are alike
    if (rate.value >= could.value * 0.99) {
      out.pass();
      continue;
    }
    Finding& finding = fail_port(
        out, machine, view,
        one_lane(*view.port)
            ? fmt::format("runs on one lane ({}): {}", *view.port->rate_words, text(rate))
            : fmt::format("runs at {}, others of its model at {}", text(rate), text(could)));
    finding.evidence = {
        evidence(machine, "rate", text(rate), text(could), view.port->rate.source())};
    finding.impact.now = rate;
    finding.impact.could = could;
    finding.impact.lost_fraction = 1 - rate.value / could.value;
    finding.impact.text = "the rail of this port is that much slower, and the job waits for it";
    finding.remedy = {
        step("see lanes, FEC and the module",
             fmt::format("sudo mlxlink -d {} -m -c", rdma_name_of(view))),
        step("swap the cable; look whether the switch's port is split or fixed to a lower speed")};
  }
}

// What a RoCE packet carries for each byte on the wire: IPv4 headers and both checksums, preamble
// and gap. 4096 gives 98 %, 1024 gives 92 %.
double efficiency(int mtu) {
  constexpr double around = 14 + 20 + 8 + 12 + 4 + 4 + 20;
  return mtu / (mtu + around);
}

// Cloud guests have an Ethernet function for TCP beside their InfiniBand or EFA; nobody runs RoCE
// over it.
bool is_guests_ethernet(const Patient& patient, const std::vector<PortView>& all) {
  return in_virtual_machine(patient) ||
         std::any_of(all.begin(), all.end(), [](const PortView& other) {
           return is_infiniband(other) && is_active(*other.port);
         });
}

void mtu_small(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto all = port_views(machine);
  const bool excused = is_guests_ethernet(patient, all);
  for (const PortView& view : all) {
    const NicPort& port = *view.port;
    if (!view.facts().rdma_device || !is_active(port)) continue;
    if (!port.active_mtu_bytes) {
      if (is_roce(view)) out.unknown(subject_of(machine, view), Need::rdma_ports);
      continue;
    }
    const int now = *port.active_mtu_bytes;
    const int most = std::min(port.max_mtu_bytes.value_or(4096), 4096);
    if (now >= most) {
      out.pass();
      continue;
    }
    std::string text = fmt::format("RDMA uses packets of {} bytes of {}", now, most);
    // 4096 on the interface leaves 2048: headers must fit, too.
    if (is_ethernet(view) && (port.mtu || now <= 1024))
      text += fmt::format(": the network device's MTU is {}, and 4096 needs 4200",
                          port.mtu ? *port.mtu : 1500);
    Finding& finding = fail_port(out, machine, view, std::move(text));
    finding.evidence = {evidence(machine, "active MTU", std::to_string(now), std::to_string(most),
                                 port.active_mtu_bytes.source())};
    finding.impact.lost_fraction = 1 - efficiency(now) / efficiency(most);
    finding.impact.text = fmt::format(
        "{} of the line goes to headers, and packets a second "
        "become {} times as many",
        percent(1 - efficiency(now)), most / now);
    if (is_ethernet(view)) {
      finding.remedy = {
          root_step("raise the MTU at both ends, switches first (9214 or 9216 there)",
                    fmt::format("ip link set dev {} mtu 9000", interface_of(view)), Risk::disturbs,
                    "connections over the interface drop for a moment"),
          step("prove the path", "ping -M do -s 8972 PEER")};
    } else {
      finding.remedy = {step("look at the subnet manager's partition: the MTU is its choice",
                             "grep -i mtu /etc/opensm/partitions.conf")};
    }
    if ((excused && is_ethernet(view)) || !is_ethernet(view)) {
      finding.severity = Severity::note;
      finding.weight = 15;
    }
  }
}

void mtu_mismatch(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::map<std::string, std::vector<PortView>> groups;
  for (const PortView& view : port_views(machine))
    if (view.facts().rdma_device && is_active(*view.port) && view.port->active_mtu_bytes &&
        view.port->link_layer)
      groups[*view.port->link_layer + model_of(view.facts())].push_back(view);
  for (const auto& [key, views] : groups) {
    const auto less = [](const PortView& a, const PortView& b) {
      return *a.port->active_mtu_bytes < *b.port->active_mtu_bytes;
    };
    const auto [least, most] = std::minmax_element(views.begin(), views.end(), less);
    if (!less(*least, *most)) {
      out.pass();
      continue;
    }
    Finding& finding =
        fail_port(out, machine, *least,
                  fmt::format("has an RDMA MTU of {}, {} has {}", *least->port->active_mtu_bytes,
                              subject_of(machine, *most), *most->port->active_mtu_bytes));
    finding.devices.push_back(most->nic);
    for (const PortView* view : {&*least, &*most})
      finding.evidence.push_back(evidence(machine, subject_of(machine, *view) + " active MTU",
                                          std::to_string(*view->port->active_mtu_bytes), {},
                                          view->port->active_mtu_bytes.source()));
    finding.impact.text =
        "connections between ports of different MTU use the smaller one; software that assumes "
        "its own for both ends fails with length errors";
    finding.remedy = {root_step("give both the same MTU",
                                fmt::format("ip link set dev {} mtu 9000", interface_of(*least)),
                                Risk::disturbs)};
  }
}

std::vector<Rule> rate_rules() {
  return {
      Rule{
          .id = "RDM002",
          .name = "rdma-port-slow",
          .severity = Severity::warning,
          .weight = 70,
          .needs = {Need::rdma_ports},
          .explains = {{"NCC207", Relation::same_device}, {"NET012", Relation::same_device}},
          .look = slow,
          .page = {.what = "An RDMA port trained to a lower rate than others of the same model, or "
                           "on one lane of four.",
                   .why = "A port at 100 instead of 400 Gb/s is a quarter of a rail, and a "
                          "collective runs at the speed of its slowest rail.",
                   .by_hand = "ibstat | grep -E \"CA '|Rate\"; cat "
                              "/sys/class/infiniband/*/ports/*/rate\n"
                              "Every adapter of one model should show the same rate and \"4X\".",
                   .remedy = "Swap the cable or module; look at the switch's port for a fixed "
                             "speed, a split or a different FEC.",
                   .benign_if =
                       "The port goes to another network on purpose (storage). \"2X\" is a "
                       "split cable and is compared by its rate only.",
                   .references = {"InfiniBand Architecture Specification, volume 1, 14.2.5.6 "
                                  "(LinkWidthActive, LinkSpeedActive)"}}},
  };
}

std::vector<Rule> mtu_rules() {
  return {
      Rule{.id = "RDM003",
           .name = "rdma-mtu-small",
           .severity = Severity::warning,
           .weight = 45,
           .needs = {Need::rdma_ports},
           .explains = {{"NET008", Relation::same_device}},
           .look = mtu_small,
           .page = {.what = "An active RDMA port uses a smaller MTU than it can.",
                    .why = "RoCE takes the largest of 256 … 4096 that fits in the network device's "
                           "MTU: 1500 gives 1024, 4200 and more give 4096. With 1024 four times as "
                           "many packets carry the same data and 8 % of the line is headers "
                           "instead of 2 %.",
                    .by_hand = "ibv_devinfo | grep -E 'hca_id|active_mtu|max_mtu'; ip link\n"
                               "active_mtu 1024 beside max_mtu 4096 means a network MTU of 1500.",
                    .remedy = "ip link set dev INTERFACE mtu 9000 on hosts, 9214 or 9216 on "
                              "switches. Prove it with ping -M do -s 8972: without -M do the "
                              "kernel cuts the packet and the test proves nothing.",
                    .benign_if = "The port is a cloud guest's Ethernet function beside InfiniBand "
                                 "(accelerated networking): no RDMA runs there. An InfiniBand port "
                                 "at 2048 follows its subnet's partition.",
                    .references = {"ibv_query_port(3)",
                                   "InfiniBand Architecture Specification, "
                                   "annex A17 (RoCEv2)"}}},
      Rule{.id = "RDM004",
           .name = "rdma-mtu-mismatch",
           .severity = Severity::warning,
           .weight = 55,
           .needs = {Need::rdma_ports},
           .explains = {{"RDM003", Relation::same_device}},
           .look = mtu_mismatch,
           .page = {.what = "Active RDMA ports of one model have different MTUs.",
                    .why = "Connections between rails then fall to the smaller MTU. Where software "
                           "takes its own port's MTU for both ends, messages fail with local "
                           "length errors or hang.",
                    .by_hand = "ibv_devinfo | grep -E 'hca_id|active_mtu'; ip link\n"
                               "All ports of the training network show the same number.",
                    .remedy = "Give all interfaces of the network one MTU, hosts and switches.",
                    .benign_if = "The ports belong to different networks that never talk to each "
                                 "other.",
                    .references = {"ibv_modify_qp(3): path_mtu"}}},
  };
}

}  // namespace

std::vector<Rule> port_speed_rules() { return together({rate_rules(), mtu_rules()}); }

}  // namespace railgauge::judge
