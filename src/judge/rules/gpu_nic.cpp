// Which GPU reaches which adapter, and over what.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/rules/families.h"
#include "judge/rules/gpu_nic_distances.h"
#include "judge/rules/gpu_nic_parts.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

// A guest's tree is made up, and so are the distances in it.
bool distances_are_virtual(const Patient& patient, Verdicts& out) {
  if (!links_are_virtual(patient)) return false;
  out.unknown("host", "distances as the host sees them: a guest's PCIe tree is virtual",
              "railgauge check --trust-virtual-links");
  return true;
}

std::size_t gpu_count(const Machine& machine) { return machine.of_kind(DeviceKind::gpu).size(); }

SourceRef cell_source(const Machine& machine, DeviceId a, DeviceId b) {
  const Pair* pair = machine.find_pair(a, b);
  return pair == nullptr || !pair->smi ? machine[a].seen_in : pair->smi.source();
}

void add_evidence(const Machine& machine, const std::vector<const GpuNics*>& gpus,
                  const char* expected, Finding& finding) {
  for (const GpuNics* gpu : gpus) {
    finding.devices.push_back(gpu->gpu);
    if (finding.evidence.size() < 4)
      finding.evidence.push_back(evidence(
          machine,
          fmt::format("{} to its nearest adapter ({})", machine[gpu->gpu].id,
                      machine[gpu->nearest.front()].id),
          gpu->best.text(), expected, cell_source(machine, gpu->gpu, gpu->nearest.front())));
  }
}

std::vector<DeviceId> ids(const std::vector<const GpuNics*>& gpus) {
  std::vector<DeviceId> out;
  for (const GpuNics* gpu : gpus) out.push_back(gpu->gpu);
  return out;
}

void without_near(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = gpu_nic_distances(machine);
  if (gpus.empty() || distances_are_virtual(patient, out)) return;
  std::vector<const GpuNics*> far;
  for (const GpuNics& gpu : gpus)
    if (!is_near(gpu.best)) far.push_back(&gpu);
  // A board without rails is built so: every GPU reaches its adapters over the CPU.
  if (far.empty() || far.size() == gpus.size()) {
    out.pass();
    return;
  }
  Finding& finding = out.fail(
      names_of(machine, ids(far)),
      fmt::format("{} of {} GPUs have no adapter below their PCIe switches; the nearest is "
                  "{} away",
                  far.size(), gpus.size(), far.front()->best.text()));
  add_evidence(machine, far, "PIX or PXB", finding);
  finding.impact.text =
      "GPUDirect RDMA is off for them by default (NCCL_NET_GDR_LEVEL is PXB): data goes over the "
      "CPU, or over NVLink to a GPU that has an adapter (PXN) and shares its rate";
  finding.impact.lost_fraction = static_cast<double>(far.size()) / static_cast<double>(gpus.size());
  finding.remedy = {
      step("let NCCL go through NVLink neighbours: leave PXN on", "unset NCCL_PXN_DISABLE"),
      step("where a slot below their switch is free, move an adapter there"),
      step("see which adapter each rank takes", "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=GRAPH")};
  if (training_nics(machine).size() < 2) {  // one adapter can only be near to some
    finding.severity = Severity::note;
    finding.weight = 20;
  }
}

void shared(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = gpu_nic_distances(machine);
  if (gpus.empty() || distances_are_virtual(patient, out)) return;
  std::map<std::vector<DeviceId>, std::vector<DeviceId>> groups;
  for (const GpuNics& gpu : gpus)
    if (is_near(gpu.best)) groups[gpu.nearest].push_back(gpu.gpu);
  Finding* finding = nullptr;
  std::size_t users = 0;
  std::vector<DeviceId> few;
  for (const auto& [nics, sharers] : groups) {
    if (sharers.size() <= nics.size()) {
      out.pass();
      continue;
    }
    if (finding == nullptr) finding = &out.fail("", "");
    users += sharers.size();
    few.insert(few.end(), nics.begin(), nics.end());
    finding->evidence.push_back(evidence(
        machine, "nearest adapter of " + names_of(machine, sharers), names_of(machine, nics),
        "one for each GPU", cell_source(machine, sharers.front(), nics.front())));
  }
  if (finding == nullptr) return;
  finding->subject = names_of(machine, few);
  finding->devices = few;
  finding->text = fmt::format("{} share {} below their PCIe switches", counted(users, "GPU"),
                              counted(few.size(), "adapter"));
  finding->impact.lost_fraction = 1 - static_cast<double>(few.size()) / static_cast<double>(users);
  finding->impact.text = "each of them has its part of the adapter's rate: plan with it";
  finding->remedy = {step("nothing to repair: many boards are built so")};
}

// Whether a matrix of SYS alone is known to be of a machine where that costs something.
bool is_known_x86(const Machine& machine) {
  return std::any_of(machine.devices.begin(), machine.devices.end(), [](const Device& device) {
    return device.cpu && device.cpu->architecture && *device.cpu->architecture == "x86_64";
  });
}

void across_sockets(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = gpu_nic_distances(machine);
  if (gpus.empty() || distances_are_virtual(patient, out)) return;
  if (gpus_hang_on_c2c(machine)) {
    out.pass();
    return;
  }
  std::vector<const GpuNics*> far;
  for (const GpuNics& gpu : gpus)
    if (gpu.best.kind == SmiClass::sys) far.push_back(&gpu);
  if (far.empty()) {
    out.pass();
    return;
  }
  const bool all = far.size() == gpus.size() && gpu_count(machine) > 1;
  Finding& finding =
      out.fail(names_of(machine, ids(far)),
               all ? std::string("every adapter is SYS away from every GPU")
                   : fmt::format("{} of {} GPUs reach an adapter only across the sockets",
                                 far.size(), gpus.size()));
  add_evidence(machine, far, "an adapter on the same socket", finding);
  finding.impact.text =
      "GPUDirect RDMA is off for them, and every byte crosses the link between "
      "the CPUs, which all of them share";
  finding.remedy = {step("move an adapter to a slot of the other socket"),
                    step("until then keep jobs over several machines on the GPUs of the near "
                         "socket, or leave PXN on",
                         "unset NCCL_PXN_DISABLE")};
  const bool design = (all && !is_known_x86(machine)) || training_nics(machine).size() < 2;
  if (design) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
}

std::vector<Rule> near_rules() {
  return {
      Rule{.id = "NET001",
           .name = "gpu-without-near-nic",
           .severity = Severity::warning,
           .weight = 65,
           .needs = {Need::gpus, Need::nics, Need::topology},
           .explains = {{"NET005", Relation::same_device},
                        {"NUM012", Relation::anything},
                        {"NCC003", Relation::same_device}},
           .look = without_near,
           .page = {.what = "Some GPUs have no adapter below their own PCIe switches while others "
                            "have.",
                    .why = "GPUDirect RDMA is used up to PXB by default. A GPU whose nearest "
                           "adapter is NODE or SYS away sends over the CPU or, with PXN, over "
                           "NVLink through a GPU that has one, and shares its rate: half of the "
                           "GPUs without a rail is half of the network a GPU.",
                    .by_hand = "nvidia-smi topo -m\n"
                               "Each GPU's row should have a PIX or PXB among the NIC columns.",
                    .remedy = "Leave PXN on; move an adapter to a slot below the switch of those "
                              "GPUs.",
                    .benign_if = "The machine was bought with fewer adapters than GPUs and PXN "
                                 "carries the rest. Storage adapters far away are not counted "
                                 "against anybody. With a single adapter, or where no GPU has a "
                                 "near one, it is how the board is built. Inside a guest the tree "
                                 "is the hypervisor's. EFA adapters are not in nvidia-smi's "
                                 "matrix: without them nothing is judged.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_NET_GDR_LEVEL and "
                                   "NCCL_PXN_DISABLE",
                                   "nvidia-smi(1), topo"}}},
      Rule{.id = "NET002",
           .name = "nic-shared-by-gpus",
           .severity = Severity::note,
           .weight = 15,
           .needs = {Need::gpus, Need::nics, Need::topology},
           .look = shared,
           .page = {.what = "More GPUs than adapters below one PCIe switch.",
                    .why = "They share the adapter's rate: two GPUs on one 400 Gb/s port have 25 "
                           "GB/s each at best.",
                    .by_hand = "nvidia-smi topo -m\n"
                               "Several GPU rows have their PIX in the same NIC column.",
                    .remedy = "None: count with it when judging bandwidth.",
                    .benign_if = "Always a note: the board is built so.",
                    .references = {"nvidia-smi(1), topo"}}},
  };
}

std::vector<Rule> socket_rules() {
  return {
      Rule{.id = "NET005",
           .name = "gpu-nic-across-sockets",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::gpus, Need::nics, Need::topology},
           .explains = {{"NUM012", Relation::anything}, {"NCC003", Relation::same_device}},
           .look = across_sockets,
           .page = {.what = "The nearest adapter of a GPU is on another socket (SYS).",
                    .why = "Without GPUDirect RDMA data is staged in host memory, and it crosses "
                           "the link between the sockets, 20-40 GB/s that all GPUs of that side "
                           "share with memory traffic.",
                    .by_hand = "nvidia-smi topo -m\n"
                               "A GPU's row has only SYS among the NIC columns.",
                    .remedy = "Put an adapter on that socket; until then leave PXN on.",
                    .benign_if = "GPUs hang on NVLink-C2C (Grace): adapters are on the CPU by "
                                 "design. With one adapter in two sockets it cannot be otherwise. "
                                 "Where every cell is SYS and the CPU is not known, it is a note.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_NET_GDR_LEVEL"}}},
  };
}

}  // namespace

std::vector<Rule> gpu_nic_distance_rules() { return together({near_rules(), socket_rules()}); }

Family gpu_nic_rules() {
  static const std::vector<Rule> list =
      together({gpu_nic_distance_rules(), gpu_nic_uplink_rules()});
  return list;
}

}  // namespace railgauge::judge
