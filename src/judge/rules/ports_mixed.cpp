// Adapters that differ where they should not: firmware, link layer; and ports without a subnet
// manager.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "judge/rules/gpu_nic_distances.h"
#include "judge/rules/ports_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool is_virtual_function(const Device& device) {
  return device.pci && device.pci->physical_function;
}

void firmware_mixed(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  // By chip and the maker's board: other boards have other firmware.
  std::map<std::string, std::map<std::string, std::vector<DeviceId>>> models;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const NicFacts& nic = *machine[id].nic;
    if (!nic.firmware || !(nic.hca_type || nic.board_id) || is_virtual_function(machine[id]))
      continue;
    models[nic.hca_type.value_or("") + " " + nic.board_id.value_or("")][*nic.firmware].push_back(
        id);
  }
  for (const auto& [model, versions] : models) {
    if (versions.size() < 2) {
      out.pass();
      continue;
    }
    // The fewest are the odd ones; in a tie those of the lower version.
    auto odd = versions.begin();
    for (auto at = versions.begin(); at != versions.end(); ++at)
      if (at->second.size() < odd->second.size()) odd = at;
    std::string others;
    for (const auto& [version, ids] : versions)
      if (version != odd->first) others += (others.empty() ? "" : ", ") + version;
    Finding& finding = out.fail(names_of(machine, odd->second),
                                fmt::format("firmware {}; other adapters of the model ({}) have {}",
                                            odd->first, std::string(trim(model)), others));
    finding.devices = odd->second;
    for (const auto& [version, ids] : versions)
      finding.evidence.push_back(evidence(machine, names_of(machine, ids) + " firmware", version,
                                          {}, machine[ids.front()].nic->firmware.source()));
    finding.impact.text =
        "rails may differ in congestion control, adaptive routing and known faults";
    finding.remedy = {
        root_step("see which firmware each card should have", "mlxfwmanager --query"),
        root_step("bring all cards to one version, then reboot", "mlxfwmanager --online -u",
                  Risk::interrupts, "the adapter is reset: its connections end")};
    finding.remedy.back().needs_reboot = true;
  }
}

// A variable that picks adapters, so that what else there is does not matter.
const Variable* adapter_choice(const Machine& machine) {
  for (const char* name : {"NCCL_IB_HCA", "UCX_NET_DEVICES"})
    if (const Variable* found = variable(machine, name)) return found;
  return nullptr;
}

// Every GPU has one of `wanted` nearer than any of `others`: NCCL then takes those by itself.
bool nearer_everywhere(const Machine& machine, const std::set<DeviceId>& wanted,
                       const std::set<DeviceId>& others) {
  const auto gpus = gpu_nic_distances(machine);
  if (gpus.empty()) return false;
  return std::all_of(gpus.begin(), gpus.end(), [&](const GpuNics& gpu) {
    std::optional<PathClass> near;
    std::optional<PathClass> far;
    for (const auto& [nic, distance] : gpu.nics) {
      auto& best = wanted.contains(nic) ? near : far;
      if (!wanted.contains(nic) && !others.contains(nic)) continue;
      if (!best || distance < *best) best = distance;
    }
    return near && (!far || *near < *far);
  });
}

void layers_mixed(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::set<DeviceId> infiniband;
  std::set<DeviceId> ethernet;
  const PortView* odd = nullptr;
  const auto all = port_views(machine);
  for (const PortView& view : all) {
    if (!view.facts().rdma_device || !is_active(*view.port)) continue;
    if (is_infiniband(view)) infiniband.insert(view.nic);
    if (!is_roce(view)) continue;
    ethernet.insert(view.nic);
    if (odd == nullptr) odd = &view;
  }
  if (infiniband.empty() && ethernet.empty()) return;
  const Variable* chosen = adapter_choice(machine);
  if (infiniband.empty() || ethernet.empty() || chosen != nullptr) {
    out.pass();
    return;
  }
  std::vector<DeviceId> wanted(infiniband.begin(), infiniband.end());
  std::vector<DeviceId> left_out(ethernet.begin(), ethernet.end());
  Finding& finding =
      out.fail(names_of(machine, left_out),
               fmt::format("{} active on Ethernet beside {} on InfiniBand ({}), and nothing says "
                           "which ones jobs use",
                           counted(left_out.size(), "adapter"), wanted.size(),
                           names_of(machine, wanted, 4)));
  finding.devices = left_out;
  finding.evidence = {evidence(machine, subject_of(machine, *odd) + " link layer", "Ethernet",
                               "InfiniBand", odd->port->link_layer.source())};
  finding.impact.text =
      "a rank that takes an Ethernet adapter cannot reach one that took InfiniBand: jobs hang or "
      "fail at start, or part of the traffic goes the slow way";
  std::string list;
  for (const DeviceId id : wanted)
    list += (list.empty() ? "" : ",") + machine[id].nic->rdma_device.value_or("");
  finding.remedy = {step("name the adapters of the training network, exactly",
                         fmt::format("export NCCL_IB_HCA=={}", list))};
  // One management bond beside the rails of a training machine is no rail: it is too slow to enter
  // NCCL's rings.
  const bool outnumbered = wanted.size() >= 4 * left_out.size();
  const bool nearer = nearer_everywhere(machine, infiniband, ethernet);
  if (!outnumbered && !nearer) return;
  finding.severity = Severity::note;
  finding.weight = 15;
  if (nearer) finding.text += "; each GPU has an InfiniBand adapter nearer, which NCCL prefers";
}

void no_subnet_manager(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    if (!is_infiniband(view) || !view.port->state || is_down(*view.port)) continue;
    const std::string& state = *view.port->state;
    if (state != "INIT" && state != "ARMED") {
      out.pass();
      continue;
    }
    Finding& finding = fail_port(
        out, machine, view,
        fmt::format("the link is up but the port is {}: no subnet manager has configured it",
                    state));
    finding.evidence = {evidence(machine, "state", state, "ACTIVE", view.port->state.source())};
    finding.impact.text = "the port carries no data until a subnet manager runs";
    finding.impact.lost_fraction = 1;
    finding.remedy = {root_step("ask who the subnet manager is", "sminfo"),
                      root_step("start one where there is none: on a switch, in UFM, or here",
                                "systemctl start opensm", Risk::disturbs,
                                "two managers with different settings can reconfigure the fabric")};
  }
}

}  // namespace

std::vector<Rule> port_mixed_rules() {
  return {
      Rule{.id = "RDM018",
           .name = "nic-firmware-mixed",
           .severity = Severity::warning,
           .weight = 30,
           .needs = {Need::nics},
           .look = firmware_mixed,
           .page = {.what = "Adapters of one model run different firmware.",
                    .why = "Rails then differ in congestion control, adaptive routing and known "
                           "faults; a job that fails on one rail only is hard to find.",
                    .by_hand = "ibv_devinfo | grep -E 'hca_id|fw_ver|board_id'\n"
                               "One board_id (PSID) should have one fw_ver.",
                    .remedy = "mlxfwmanager shows and updates; the new firmware runs after a "
                              "reboot or mlxfwreset.",
                    .benign_if = "The boards differ (another board_id): each maker has its own "
                                 "firmware. Virtual functions show their host's.",
                    .references = {"NVIDIA Firmware Tools (MFT) User Manual, mlxfwmanager"}}},
      Rule{.id = "RDM019",
           .name = "link-layers-mixed",
           .severity = Severity::warning,
           .weight = 50,
           .needs = {Need::rdma_ports},
           .explains = {{"NCC015", Relation::anything}},
           .look = layers_mixed,
           .page = {.what = "Active RDMA adapters of both InfiniBand and Ethernet, and no variable "
                            "chooses among them.",
                    .why = "NCCL takes every active RDMA port. An Ethernet function for storage or "
                           "for a cloud's accelerated networking joins in: ranks cannot connect "
                           "across link layers, or part of the traffic takes the slow way.",
                    .by_hand = "ibv_devinfo | grep -E 'hca_id|state|link_layer'\n"
                               "In an NCCL log: NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE.",
                    .remedy = "NCCL_IB_HCA==mlx5_0,… with the second '=' for exact names: without "
                              "it mlx5_1 also takes mlx5_10.",
                    .benign_if = "NCCL_IB_HCA or UCX_NET_DEVICES is set. A note where each GPU has "
                                 "an InfiniBand adapter nearer than any Ethernet one, or one "
                                 "Ethernet adapter stands beside four or more.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_HCA"}}},
      Rule{.id = "RDM020",
           .name = "no-subnet-manager",
           .severity = Severity::error,
           .weight = 95,
           .needs = {Need::rdma_ports},
           .explains = {{"NCC001", Relation::anything}},
           .look = no_subnet_manager,
           .page = {.what = "An InfiniBand port has a link but stays in INIT or ARMED.",
                    .why = "A subnet manager gives ports their address and routes. Without one the "
                           "port trains and carries nothing.",
                    .by_hand = "ibstat; sudo sminfo\n"
                               "State: Initializing with Physical state: LinkUp; sminfo finds no "
                               "manager.",
                    .remedy = "Start the subnet manager of the fabric (switch, UFM, opensm).",
                    .benign_if = "The cable was plugged a moment ago: a manager needs seconds. A "
                                 "direct cable between two hosts needs opensm on one of them.",
                    .references = {"InfiniBand Architecture Specification, volume 1, 14 (Subnet "
                                   "Management)",
                                   "opensm(8)"}}},
  };
}

}  // namespace railgauge::judge
