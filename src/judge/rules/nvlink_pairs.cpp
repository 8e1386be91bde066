// Pairs of GPUs that the driver keeps apart, and AMD boards whose Infinity Fabric is not there.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "judge/rules/gpu_health.h"
#include "judge/rules/nvlink.h"
#include "judge/rules/nvlink_boards.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct Refused {
  P2pStatus status = P2pStatus::unknown;
  bool nvlink = false;
  std::vector<DeviceId> gpus;
  std::size_t pairs = 0;
  SourceRef source;
  std::string where;  // "gpu0 and gpu1" of the first
};

// The worst answer for reading and writing; NVLink's own where there is NVLink.
std::optional<std::pair<P2pStatus, SourceRef>> refusal_of(const Pair& pair, bool nvlink) {
  for (const Fact<P2pStatus>* fact : {&pair.p2p_read, &pair.p2p_write, &pair.p2p_nvlink}) {
    if (fact == &pair.p2p_nvlink && !nvlink) continue;
    if (*fact && **fact != P2pStatus::ok) return std::pair{**fact, fact->source()};
  }
  return std::nullopt;
}

bool spoken_of(const Pair& pair) { return pair.p2p_read || pair.p2p_write || pair.p2p_nvlink; }

std::string_view words(P2pStatus status) {
  switch (status) {
    case P2pStatus::chipset_not_supported: return "the chipset is not on the driver's list";
    case P2pStatus::gpu_not_supported: return "the driver does not offer it on these GPUs";
    case P2pStatus::topology_not_supported: return "not over this path between them";
    case P2pStatus::disabled_by_regkey: return "switched off by a setting of the driver";
    case P2pStatus::not_supported: return "not supported";
    default: return "the driver does not know";
  }
}

// Whether it is what the product is: GeForce and workstation drivers offer no peer-to-peer.
bool by_policy(const Patient& patient, const Refused& one) {
  if (one.status != P2pStatus::gpu_not_supported || one.nvlink) return false;
  return std::all_of(one.gpus.begin(), one.gpus.end(), [&](DeviceId id) {
    return home_of(patient, patient.machine[id]) != NvLinkHome::baseboard;
  });
}

std::vector<Refused> refusals(const Machine& machine, Verdicts& out) {
  std::map<std::pair<bool, P2pStatus>, Refused> found;
  for (const Pair& pair : machine.pairs) {
    if (!spoken_of(pair) || machine[pair.a].kind != DeviceKind::gpu ||
        machine[pair.b].kind != DeviceKind::gpu)
      continue;
    const bool nvlink = nvlinks_between(machine, pair.a, pair.b).value_or(0) > 0;
    const auto refused = refusal_of(pair, nvlink);
    if (!refused) {
      out.pass();
      continue;
    }
    Refused& one = found[{nvlink, refused->first}];
    if (one.pairs++ == 0) {
      one.status = refused->first;
      one.nvlink = nvlink;
      one.source = refused->second;
      one.where = fmt::format("{} and {}", machine[pair.a].id, machine[pair.b].id);
    }
    for (const DeviceId id : {pair.a, pair.b})
      if (std::find(one.gpus.begin(), one.gpus.end(), id) == one.gpus.end()) one.gpus.push_back(id);
  }
  std::vector<Refused> all;
  for (auto& [key, one] : found) all.push_back(std::move(one));
  return all;
}

void refused(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  const bool amd =
      std::any_of(gpus.begin(), gpus.end(), [&](DeviceId id) { return is_amd(machine[id]); });
  if (gpus.size() < 2 || amd) return;
  bool told = false;
  for (const Pair& pair : machine.pairs) told |= spoken_of(pair);
  if (!told)
    return out.unknown("all GPUs", "which GPUs may reach each other", "nvidia-smi topo -p2p rw");
  for (const Refused& one : refusals(machine, out)) {
    const std::string status(text(one.status));
    Finding& finding = out.fail(
        one.pairs == 1 ? one.where : fmt::format("{} pairs of GPUs", one.pairs),
        fmt::format("no peer-to-peer{}: {} ({})", one.nvlink ? " although NVLink joins them" : "",
                    words(one.status), status));
    finding.devices = one.gpus;
    if (by_policy(patient, one)) {
      finding.severity = Severity::note;
      finding.weight = 20;
      finding.text += ": a policy of GeForce and workstation products, no fault";
    } else if (one.nvlink) {
      finding.severity = Severity::error;
      finding.weight = 80;
    } else if (one.status == P2pStatus::not_supported || one.status == P2pStatus::unknown ||
               one.status == P2pStatus::topology_not_supported || in_virtual_machine(patient)) {
      finding.severity = Severity::note;
      finding.weight = 25;
    }
    finding.evidence = {evidence(machine, "topo -p2p of " + one.where, status, "OK", one.source)};
    finding.impact.text =
        "NCCL goes through shared memory of the host: every byte crosses PCIe "
        "twice and memory once";
    if (one.status == P2pStatus::disabled_by_regkey)
      finding.remedy = {
          {.text = "take the setting out of the driver's module options",
           .command = "grep -rn NVreg /etc/modprobe.d; cat /proc/driver/nvidia/params",
           .needs_root = false}};
    else
      finding.remedy = {{.text = "ask the driver again; with NVLink, look at the fabric first",
                         .command = "nvidia-smi topo -p2p rw; nvidia-smi topo -p2p n"}};
  }
}

// Boards whose GPUs are wired to each other; MI50 to MI210 cards have bridges at the most.
bool wired(const Patient& patient, const Device& gpu) {
  const GpuBoard* board = patient.catalogue.board(gpu);
  if (board == nullptr || !board->xgmi_count) return false;
  for (const char* name : {"MI250", "MI300", "MI308", "MI325", "MI350", "MI355"})
    if (contains(board->name, name)) return true;
  return false;
}

void xgmi(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const Pair& pair : machine.pairs) {
    if (machine[pair.a].kind != DeviceKind::gpu || machine[pair.b].kind != DeviceKind::gpu ||
        !pair.rocm_link)
      continue;
    if (!wired(patient, machine[pair.a]) || !wired(patient, machine[pair.b])) continue;
    if (*pair.rocm_link != "PCIE") {
      out.pass();
      continue;
    }
    if (in_virtual_machine(patient)) {
      out.unknown("all GPUs", "the links as the host sees them", "rocm-smi --showtopo");
      continue;
    }
    Finding& finding =
        out.fail(fmt::format("{} and {}", machine[pair.a].id, machine[pair.b].id),
                 fmt::format("reach each other over PCIe; {} has {} Infinity Fabric links",
                             patient.catalogue.board(machine[pair.a])->name,
                             *patient.catalogue.board(machine[pair.a])->xgmi_count));
    finding.devices = {pair.a, pair.b};
    finding.evidence = {
        evidence(machine, "link type", *pair.rocm_link, "XGMI", pair.rocm_link.source())};
    finding.impact.text =
        "RCCL takes PCIe between these two, and rings through them go at its pace";
    finding.remedy = {{.text = "look at the links, then power the machine off and on; a link that "
                               "stays down is hardware",
                       .command = "rocm-smi --showtopo; sudo dmesg | grep -i xgmi",
                       .needs_root = true}};
  }
}

Rule refused_rule() {
  return {
      .id = "NVL015",
      .name = "p2p-refused",
      .severity = Severity::warning,
      .weight = 55,
      .needs = {Need::gpus, Need::topology},
      .explains = {{"NCC006", Relation::anything}, {"NCC004", Relation::anything}},
      .look = unknown_once<refused>,
      .page = {.what = "The driver refuses peer-to-peer between GPUs.",
               .why = "Without it a copy goes through host memory, and NCCL uses SHM: about half "
                      "the bandwidth of PCIe at best. GNS: the product has none (GeForce). CNS: "
                      "the chipset is unknown to the driver. TNS: not over this path. DR: switched "
                      "off by a driver setting.",
               .by_hand = "nvidia-smi topo -p2p rw; nvidia-smi topo -p2p n",
               .remedy = "DR: take the setting out. CNS: newer driver or BIOS. With NVLink between "
                         "them: look at fabric manager and fabric state. GNS: live with SHM.",
               .benign_if = "GNS on GeForce and workstation products: the driver's policy, and "
                            "NCCL over SHM is expected (a note). TNS across sockets, and guests "
                            "without NVLink (a note).",
               .references = {"nvidia-smi(1), topo -p2p", "NVML API, nvmlDeviceGetP2PStatus",
                              "NCCL user guide, Troubleshooting: GPU-to-GPU communication"}}};
}

Rule xgmi_rule() {
  return {
      .id = "NVL016",
      .name = "xgmi-missing",
      .severity = Severity::error,
      .weight = 80,
      .needs = {Need::gpus, Need::topology},
      .explains = {{"NCC205", Relation::anything}},
      .look = unknown_once<xgmi>,
      .page = {.what = "AMD GPUs on a board with Infinity Fabric between all of them reach each "
                       "other over PCIe.",
               .why = "MI300X has seven links of 64 GB/s a direction, one to each peer; a peer "
                      "without a link is reached over PCIe at about the same rate but shared and "
                      "through the CPU, and RCCL's rings do not use it.",
               .by_hand = "rocm-smi --showtopo\n\"PCIE\" where \"XGMI\" belongs.",
               .remedy = "Power off and on, look at dmesg for xgmi, firmware of the board.",
               .benign_if = "The cards are PCIe products (MI50 to MI210) or of unknown name: hives "
                            "of four with PCIe between them are built so. Guests.",
               .references = {"AMD Instinct MI300X data sheet", "rocm-smi, --showtopo"}}};
}

}  // namespace

std::vector<Rule> nvlink_pair_rules() { return {refused_rule(), xgmi_rule()}; }

}  // namespace railgauge::judge
