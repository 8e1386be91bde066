// Network ports as the kernel's network stack sees them: MTU, 802.3x pause, state, and adapters
// without RDMA.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/ports_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::uint16_t nvidia_networking = 0x15b3;

bool matters_to_jobs(const PortView& view) {
  constexpr double least_bits = 25e9;  // what no management port has
  return view.facts().rdma_device || (view.port->rate && view.port->rate->value * 8 >= least_bits);
}

void mtu(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr int enough = 4200;  // carries a RoCE packet of 4096
  for (const PortView& view : port_views(machine)) {
    const NicPort& port = *view.port;
    if (!is_ethernet(view) || !port.mtu || is_down(port) || !matters_to_jobs(view)) continue;
    if (*port.mtu >= enough) {
      out.pass();
      continue;
    }
    Finding& finding = fail_port(out, machine, view,
                                 fmt::format("{} has an MTU of {}", interface_of(view), *port.mtu));
    const bool roce = is_roce(view) && !in_virtual_machine(patient);
    finding.severity = roce && !port.active_mtu_bytes ? Severity::warning : Severity::note;
    finding.weight = roce ? 40 : 15;
    finding.evidence = {
        evidence(machine, "mtu", std::to_string(*port.mtu), "4200 or more", port.mtu.source())};
    finding.impact.text =
        roce ? "RoCE packets carry 1024 bytes instead of 4096"
             : "TCP sends six times the packets of MTU 9000: more CPU for the same bandwidth";
    finding.remedy = {root_step("raise the MTU, switches first",
                                fmt::format("ip link set dev {} mtu 9000", interface_of(view)),
                                Risk::disturbs, "connections over the interface drop for a moment"),
                      step("prove the path", "ping -M do -s 8972 PEER")};
  }
}

// Share of the time between two samples that the port was paused, either way.
std::optional<double> paused_share(const NicPort& port) {
  std::optional<double> most;
  for (const char* name : {"rx_global_pause_duration_us", "tx_global_pause_duration_us"})
    if (const auto rate = counter_rate(port, name)) most = std::max(most.value_or(0), *rate / 1e6);
  return most;
}

void global_pause(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    const NicPort& port = *view.port;
    const bool on = port.pause_rx.value_or("") == "on" || port.pause_tx.value_or("") == "on";
    const auto rx = counter(port, "rx_global_pause_frames");
    const auto tx = counter(port, "tx_global_pause_frames");
    const std::uint64_t frames = rx.value_or(0) + tx.value_or(0);
    if (!port.pause_rx && !port.pause_tx && !rx && !tx) continue;
    if (!on && frames == 0) {
      out.pass();
      continue;
    }
    const auto share = paused_share(port);
    const bool hurts = share.value_or(0) >= 0.01 || (!share && frames >= 1'000'000);
    if (!hurts && !is_roce(view)) {
      out.pass();
      continue;
    }
    std::string text =
        "802.3x pause is on: it stops all priorities at once, and PFC is off "
        "while it is used";
    if (share)
      text = fmt::format("802.3x pause stops the whole port {} of the time", percent(*share));
    else if (frames > 0)
      text = fmt::format("802.3x pause has stopped the whole port: {} frames received, {} sent",
                         rx.value_or(0), tx.value_or(0));
    Finding& finding = fail_port(out, machine, view, std::move(text));
    finding.severity = hurts ? Severity::warning : Severity::note;
    finding.weight = hurts ? 60 : 20;
    if (port.pause_rx)
      finding.evidence.push_back(
          evidence(machine, "pause rx", *port.pause_rx, "off", port.pause_rx.source()));
    for (const char* name : {"rx_global_pause_frames", "tx_global_pause_frames"})
      if (counter(port, name)) finding.evidence.push_back(counter_evidence(machine, view, name));
    if (share) finding.impact.lost_fraction = *share;
    finding.impact.text =
        "a paused link loses bandwidth without dropping a packet, so no error "
        "counter shows it";
    finding.remedy = {
        root_step("turn it off at the host and on the switch's port, and use PFC on one priority",
                  fmt::format("ethtool -A {} rx off tx off", interface_of(view)), Risk::disturbs),
        root_step("let priority 3 alone be lossless",
                  fmt::format("dcb pfc set dev {} prio-pfc all:off 3:on", interface_of(view)))};
  }
}

void netdev_down(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    const NicPort& port = *view.port;
    if (!is_ethernet(view) || !view.facts().rdma_device || !port.netdev_state) continue;
    const std::string& state = *port.netdev_state;
    if (state != "down" && state != "lowerlayerdown") {
      out.pass();
      continue;
    }
    if (is_down(port)) continue;  // RDM001 says it
    Finding& finding = fail_port(out, machine, view,
                                 fmt::format("the interface {} is {} while the adapter does RDMA",
                                             interface_of(view), state));
    finding.evidence = {evidence(machine, "operstate", state, "up", port.netdev_state.source())};
    finding.impact.text =
        "RoCE needs the interface's addresses: without them there is no usable "
        "GID";
    finding.remedy = {
        root_step("bring it up", fmt::format("ip link set dev {} up", interface_of(view)))};
  }
}

// One bond has one RDMA device for both of its ports.
bool has_bond(const Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::nic))
    if (machine[id].nic->rdma_device &&
        machine[id].nic->rdma_device->find("bond") != std::string::npos)
      return true;
  return false;
}

void without_rdma(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (has_bond(machine)) return;
  const bool stack = module_named(machine, "mlx5_ib") != nullptr;
  std::vector<DeviceId> bare;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const Device& device = machine[id];
    if (!device.pci || !device.pci->id || device.pci->id->vendor != nvidia_networking) continue;
    if (device.pci->driver && *device.pci->driver != "mlx5_core") continue;  // PCI023's
    if (device.nic->rdma_device || device.pci->physical_function)
      out.pass();
    else
      bare.push_back(id);
  }
  if (bare.empty() || stack) return;
  Finding& finding =
      out.fail(names_of(machine, bare), "has no RDMA device: the module mlx5_ib is not loaded");
  finding.devices = bare;
  finding.evidence = {evidence(machine, "loaded modules",
                               counted(machine.modules.size(), "module") + " without mlx5_ib",
                               "mlx5_ib", machine.modules.front().source)};
  finding.impact.text = "NCCL finds no InfiniBand or RoCE and uses TCP";
  finding.remedy = {
      root_step("load it", "modprobe mlx5_ib"),
      root_step("and at every boot", "echo mlx5_ib > /etc/modules-load.d/mlx5_ib.conf")};
}

std::vector<Rule> setting_rules() {
  return {
      Rule{.id = "NET008",
           .name = "netdev-mtu-small",
           .severity = Severity::warning,
           .weight = 40,
           .needs = {Need::nics},
           .look = mtu,
           .page = {.what = "A fast network interface has an MTU below 4200.",
                    .why = "RoCE fits its packets into the interface's MTU: 1500 leaves 1024 of "
                           "4096 bytes. TCP at 1500 needs six times the packets of 9000, which "
                           "costs CPU at 100 Gb/s and more.",
                    .by_hand = "ip link; ping -M do -s 8972 PEER\n"
                               "A ping without -M do is cut into fragments and proves nothing.",
                    .remedy = "9000 on hosts, 9214 or 9216 on switches, every hop alike.",
                    .benign_if = "The network in between carries no more (many clouds: 1460, 1500, "
                                 "8896, 9001 are theirs to choose), or the interface is not used "
                                 "by jobs.",
                    .references = {"ip-link(8)", "ping(8), option -M"}}},
      Rule{.id = "NET009",
           .name = "global-pause",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::nics},
           .explains = {{"NCC207", Relation::same_device}},
           .look = global_pause,
           .page = {.what = "802.3x (global) pause is on, or has stopped the port.",
                    .why = "It stops every priority of the port at once, and spreads backwards "
                           "through switches. Time paused is bandwidth lost with no drop and no "
                           "error: a fifth of a 400 Gb/s link has been seen to vanish so. PFC and "
                           "802.3x exclude each other.",
                    .by_hand = "ethtool -a INTERFACE; ethtool -S INTERFACE | grep global_pause\n"
                               "Take the durations twice: microseconds over microseconds is the "
                               "share of time.",
                    .remedy = "ethtool -A INTERFACE rx off tx off, the same on the switch, and PFC "
                              "on the one priority of RoCE.",
                    .benign_if = "On is the driver's default: without pause frames it does "
                                 "nothing. Small fabrics without priorities are run with it on "
                                 "purpose.",
                    .references = {"IEEE 802.3, annex 31B", "ethtool(8)", "dcb-pfc(8)"}}},
  };
}

std::vector<Rule> state_rules() {
  return {
      Rule{.id = "NET010",
           .name = "netdev-down",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::nics},
           .explains = {{"RDM005", Relation::same_device}},
           .look = netdev_down,
           .page = {.what = "The network interface of a RoCE adapter is down.",
                    .why = "GIDs are made of the interface's addresses. Without them connections "
                           "cannot be made even though the RDMA device is there.",
                    .by_hand = "ip -br link; rdma link",
                    .remedy = "ip link set dev INTERFACE up, and give it its address.",
                    .benign_if = "The interface belongs to a bond or a virtual switch that is up.",
                    .references = {"rdma-link(8)"}}},
      Rule{.id = "RDM028",
           .name = "nic-without-rdma",
           .severity = Severity::warning,
           .weight = 75,
           .needs = {Need::nics, Need::modules},
           .explains = {{"NCC001", Relation::anything}},
           .look = without_rdma,
           .page = {.what = "A ConnectX or BlueField adapter has no RDMA device.",
                    .why = "The network driver mlx5_core alone gives an Ethernet interface. RDMA "
                           "is the module mlx5_ib; without it NCCL uses TCP.",
                    .by_hand = "lsmod | grep mlx5_ib; ls /sys/class/infiniband",
                    .remedy = "modprobe mlx5_ib. Binding the adapter to uio_pci_generic or vfio "
                              "takes RDMA away, it does not give GPUDirect.",
                    .benign_if = "The adapter is a virtual function whose host gave it no RDMA, or "
                                 "is one half of a bond: a bond has one RDMA device.",
                    .references = {"Linux kernel, Documentation/networking/device_drivers/"
                                   "ethernet/mellanox/mlx5"}}},
  };
}

}  // namespace

std::vector<Rule> port_netdev_rules() { return together({setting_rules(), state_rules()}); }

}  // namespace railgauge::judge
