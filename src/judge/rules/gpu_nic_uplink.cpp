// What GPUs and adapters share on their way: the uplink of a PCIe switch, rails of one rate.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/rules/gpu_nic_distances.h"
#include "judge/rules/gpu_nic_parts.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/ports_words.h"
#include "model/groups.h"

namespace railgauge::judge {
namespace {

using namespace model;

std::size_t gpus_of(const Machine& machine, const SwitchGroup& group) {
  return static_cast<std::size_t>(
      std::count_if(group.members.begin(), group.members.end(),
                    [&](DeviceId id) { return machine[id].kind == DeviceKind::gpu; }));
}

// All GPUs talk over NVLink or xGMI, so that peers do not use the uplinks.
bool is_joined(const Machine& machine) {
  const auto domains = nvlink_domains(machine);
  return domains.size() == 1 &&
         domains.front().gpus.size() == machine.of_kind(DeviceKind::gpu).size();
}

Evidence uplink_evidence(const Machine& machine, const SwitchGroup& group) {
  const Link& link = machine.links[*group.uplink];
  return evidence(machine, "uplink of " + names_of(machine, group.members), text(*link.as_found),
                  text(*group.demand), link.source);
}

void uplink(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (links_are_virtual(patient)) return;
  const bool joined = is_joined(machine);
  std::vector<DeviceId> switches;
  Finding* finding = nullptr;
  for (const SwitchGroup& group : switch_groups(machine)) {
    const auto gpus = gpus_of(machine, group);
    if (gpus == 0 || !group.uplink) continue;
    if (!group.demand || !machine.links[*group.uplink].as_found) {
      out.unknown(subject_of(machine, group.pcie_switch), Need::pcie_link);
      continue;
    }
    if (joined || gpus < 2 || !group.shared) {
      out.pass();
      continue;
    }
    switches.push_back(group.pcie_switch);
    if (finding == nullptr)
      finding = &out.fail("", fmt::format("{} below one switch could use {} and share an uplink of "
                                          "{}",
                                          counted(gpus, "GPU"), text(*group.demand),
                                          text(*machine.links[*group.uplink].as_found)));
    if (finding->evidence.size() < 4) finding->evidence.push_back(uplink_evidence(machine, group));
  }
  if (finding == nullptr) return;
  finding->subject = names_of(machine, switches);
  finding->devices = switches;
  finding->impact.text =
      "copies to the host and peer copies to GPUs below other switches share it; "
      "traffic between devices of the switch does not use it";
  finding->remedy = {
      step("spread peers: pair each GPU below one switch with another GPU below the "
           "other, so that few pairs cross at once")};
}

void rates(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::set<DeviceId> rails;
  for (const GpuNics& gpu : gpu_nic_distances(machine))
    if (is_near(gpu.best)) rails.insert(gpu.nearest.begin(), gpu.nearest.end());
  std::map<double, std::vector<DeviceId>> by_rate;
  for (const DeviceId id : rails) {
    BytesPerSecond sum;
    for (const NicPort& port : machine[id].nic->ports)
      if (is_active(port) && port.rate) sum = sum + *port.rate;
    if (sum.value > 0) by_rate[sum.value].push_back(id);
  }
  if (by_rate.empty()) return;
  if (by_rate.size() == 1) {
    out.pass();
    return;
  }
  const auto& [least, slow] = *by_rate.begin();
  const auto& [most, fast] = *by_rate.rbegin();
  Finding& finding = out.fail(names_of(machine, slow),
                              fmt::format("rails of different rates: {} at {}, {} at {}",
                                          names_of(machine, slow), text(BytesPerSecond{least}),
                                          names_of(machine, fast), text(BytesPerSecond{most})));
  finding.devices = slow;
  for (const NicPort& port : machine[slow.front()].nic->ports)
    if (port.rate)
      finding.evidence.push_back(evidence(machine, machine[slow.front()].id + " rate",
                                          text(*port.rate), text(BytesPerSecond{most}),
                                          port.rate.source()));
  finding.impact.now = BytesPerSecond{least};
  finding.impact.could = BytesPerSecond{most};
  finding.impact.lost_fraction = 1 - least / most;
  finding.impact.text = "collectives use all rails alike and run at the speed of the slowest";
  finding.remedy = {
      step("see why the slow ones are slow", "railgauge check --only RDM002"),
      step("or leave them out: name the fast ones exactly", "export NCCL_IB_HCA==LIST")};
}

}  // namespace

std::vector<Rule> gpu_nic_uplink_rules() {
  return {
      Rule{
          .id = "NET003",
          .name = "uplink-shared",
          .severity = Severity::note,
          .weight = 15,
          .needs = {Need::gpus, Need::topology, Need::pcie_link},
          .look = uplink,
          .page = {.what = "Several GPUs below one PCIe switch share an uplink narrower than what "
                           "they could use together.",
                   .why = "Copies to the host and peer copies across switches meet there: four "
                          "GPUs on one x16 uplink have a quarter each. A gain from direct copies "
                          "measured on one pair shrinks when all pairs cross at once.",
                   .by_hand = "lspci -tv; sudo lspci -vvv -s SWITCH | grep LnkSta",
                   .remedy = "Order ranks so that few pairs cross the uplink at once.",
                   .benign_if = "Always a note: the board is built so. Where NVLink joins all GPUs "
                                "it is not said.",
                   .references = {"PCI Express Base Specification 6.0, 1.3 (switches)"}}},
      Rule{.id = "NET012",
           .name = "nic-rates-mixed",
           .severity = Severity::warning,
           .weight = 55,
           .needs = {Need::gpus, Need::nics, Need::topology, Need::rdma_ports},
           .look = rates,
           .page = {.what = "Adapters next to GPUs have different rates.",
                    .why = "NCCL gives every rail the same share, so all run at the rate of the "
                           "slowest: one rail at 100 of 400 Gb/s costs three quarters.",
                    .by_hand = "ibstat | grep -E \"CA '|Rate\"; nvidia-smi topo -m",
                    .remedy = "Mend the slow rail, or leave it out with NCCL_IB_HCA.",
                    .benign_if = "The slow ones are not next to any GPU: storage and management "
                                 "adapters are not looked at.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_HCA"}}},
  };
}

}  // namespace railgauge::judge
