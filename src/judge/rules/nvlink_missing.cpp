// NVLink that should be there and is not, by the board.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/nvlink.h"
#include "judge/rules/nvlink_boards.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

// MIG takes a GPU's NVLinks away from its instances.
bool mig(const Device& gpu) { return gpu.gpu->mig_enabled.value_or(false); }

std::optional<BytesPerSecond> pcie_rate(const Machine& machine, DeviceId gpu) {
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::pcie && link.a == gpu && link.as_found) return *link.as_found;
  return std::nullopt;
}

void set_cost(const Patient& patient, DeviceId gpu, Finding& finding) {
  const auto sold = sold_rate(patient, patient.machine[gpu]);
  const auto pcie = pcie_rate(patient.machine, gpu);
  finding.impact.text = "traffic between these GPUs takes PCIe or host memory";
  if (!sold) return;
  finding.impact.text += fmt::format(" instead of {} of NVLink a direction", text(*sold));
  finding.impact.could = *sold;
  if (!pcie) return;
  finding.impact.now = *pcie;
  finding.impact.lost_fraction = 1 - pcie->value / sold->value;
}

void report_none(const Patient& patient, const std::vector<DeviceId>& gpus, const std::string& sold,
                 SourceRef source, Verdicts& out) {
  const Machine& machine = patient.machine;
  const std::string text =
      fmt::format("{} without NVLink; {}",
                  gpus.size() == 1 ? "is" : fmt::format("{} GPUs are", gpus.size()), sold);
  Finding& finding =
      gpus.size() == 1 ? out.fail(machine, gpus.front(), text) : out.fail("all GPUs", text);
  finding.devices = gpus;
  finding.evidence = {evidence(machine, "NVLink to the other GPUs", "none", sold, source)};
  set_cost(patient, gpus.front(), finding);
  finding.remedy = bring_up_nvlink();
}

std::string sold_with(const Patient& patient, const Device& gpu) {
  const GpuBoard* board = patient.catalogue.board(gpu);
  return fmt::format("{} has {} links", board->name, *board->nvlink_count);
}

// Boards of known name that are wired for NVLink.
void judge_known(const Patient& patient, const std::vector<DeviceId>& gpus, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<DeviceId> without;
  std::vector<DeviceId> with;
  for (const DeviceId id : gpus) {
    const NvLinkView view = view_of(machine, id);
    if (!view.told)
      out.unknown(subject_of(machine, id), Need::gpu_matrix);
    else if (mig(machine[id]))
      out.unknown(subject_of(machine, id), "NVLink with MIG off: MIG hides it", "nvidia-smi -L");
    else
      (view.sum > 0 ? with : without).push_back(id);
  }
  if (!without.empty() && with.empty()) {
    report_none(patient, without, sold_with(patient, machine[without.front()]),
                view_of(machine, without.front()).source, out);
    return;
  }
  for (const DeviceId id : without)
    report_none(patient, {id}, sold_with(patient, machine[id]), view_of(machine, id).source, out);
  constexpr int ampere = 80;  // before it, boards left some pairs without a link by design
  for (const DeviceId id : with) {
    const GpuBoard* board = patient.catalogue.board(machine[id]);
    if (board->compute_capability < ampere) {
      out.pass();
      continue;
    }
    for (const DeviceId other : with) {
      if (!(id < other)) continue;
      const auto links = nvlinks_between(machine, id, other);
      if (!links) continue;
      if (*links > 0) {
        out.pass();
        continue;
      }
      Finding& finding =
          out.fail(fmt::format("{} and {}", machine[id].id, machine[other].id),
                   fmt::format("have no NVLink between them; on {} all GPUs do", board->name));
      finding.devices = {id, other};
      finding.evidence = {evidence(machine, "matrix cell", "not NV#", "NV#",
                                   machine.find_pair(id, other)->smi.source())};
      set_cost(patient, id, finding);
      finding.remedy = bring_up_nvlink();
    }
  }
}

bool near_nic(const Machine& machine, DeviceId gpu) {
  return std::any_of(machine.pairs.begin(), machine.pairs.end(), [&](const Pair& pair) {
    if ((pair.a != gpu && pair.b != gpu) || !pair.smi) return false;
    const DeviceId other = pair.a == gpu ? pair.b : pair.a;
    return machine[other].kind == DeviceKind::nic &&
           (pair.smi->kind == SmiClass::pix || pair.smi->kind == SmiClass::pxb);
  });
}

// SYS between GPUs of one NUMA node is what no tree of buses gives: the driver could not place
// them. With an adapter beside each of eight GPUs it is an SXM machine whose fabric is down.
bool looks_like_a_dead_fabric(const Machine& machine, const std::vector<DeviceId>& gpus) {
  constexpr std::size_t whole_board = 8;
  if (gpus.size() < whole_board) return false;
  std::size_t with_nic = 0;
  for (const DeviceId id : gpus) with_nic += near_nic(machine, id) ? 1 : 0;
  if (with_nic * 2 <= gpus.size()) return false;
  for (const DeviceId a : gpus)
    for (const DeviceId b : gpus) {
      if (!(a < b)) continue;
      const Pair* pair = machine.find_pair(a, b);
      const auto& first = machine[a].gpu->numa_affinity;
      const auto& second = machine[b].gpu->numa_affinity;
      if (pair != nullptr && pair->smi && pair->smi->kind == SmiClass::sys && first && second &&
          *first == *second && first->find_first_of("-,") == std::string::npos)
        return true;
    }
  return false;
}

// Nobody named the boards: they are compared with each other.
void judge_unnamed(const Patient& patient, const std::vector<DeviceId>& gpus, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<DeviceId> without;
  std::size_t whole = 0;  // reach by NVLink every GPU that has any
  SourceRef source;
  for (const DeviceId id : gpus) {
    const NvLinkView view = view_of(machine, id);
    if (!view.told) continue;
    if (view.sum == 0) {
      without.push_back(id);
      source = view.source;
    }
  }
  const std::size_t with = gpus.size() - without.size();
  for (const DeviceId id : gpus) {
    const NvLinkView view = view_of(machine, id);
    if (view.sum > 0 && static_cast<std::size_t>(view.peers) + 1 >= with) ++whole;
  }
  constexpr std::size_t enough = 3;
  if (without.empty()) return out.pass();
  if (with >= enough && whole == with) {
    for (const DeviceId id : without)
      report_none(patient, {id}, fmt::format("the other {} GPUs have it", with), source, out);
    return;
  }
  if (with > 0) return out.pass();
  if (looks_like_a_dead_fabric(machine, gpus))
    return report_none(patient, gpus,
                       "eight GPUs with an adapter each are built with NVSwitch, and SYS inside "
                       "one NUMA node is no real distance",
                       source, out);
  out.unknown("all GPUs", "which boards these are, and a matrix that shows NVLink (not -mp)",
              "nvidia-smi -L; nvidia-smi topo -m");
}

void missing(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  if (gpus.size() < 2) return;
  if (machine.nvlink_hidden)
    return out.unknown("all GPUs", "a matrix that shows NVLink: -mp hides it",
                       "nvidia-smi topo -m");
  std::vector<DeviceId> known;
  std::vector<DeviceId> unnamed;
  for (const DeviceId id : gpus) {
    const NvLinkHome home = home_of(patient, machine[id]);
    if (home == NvLinkHome::baseboard)
      known.push_back(id);
    else if (home == NvLinkHome::unknown)
      unnamed.push_back(id);
    else
      out.pass();
  }
  const auto linked = [&](DeviceId id) { return view_of(machine, id).sum > 0; };
  if (in_virtual_machine(patient) && std::none_of(gpus.begin(), gpus.end(), linked))
    return out.unknown("all GPUs", "NVLink as the host sees it: guests are given parts of a board",
                       "nvidia-smi topo -m, on the host");
  if (known.size() > 1) judge_known(patient, known, out);
  if (unnamed.size() > 1) judge_unnamed(patient, unnamed, out);
}

Rule missing_rule() {
  return {
      .id = "NVL001",
      .name = "nvlink-missing",
      .severity = Severity::error,
      .weight = 85,
      .needs = {Need::gpus, Need::gpu_matrix},
      .explains = {{"NCC205", Relation::anything},
                   {"NCC005", Relation::anything},
                   {"NVL002", Relation::same_device},
                   {"NVL003", Relation::same_device}},
      .look = unknown_once<missing>,
      .page = {
          .what = "GPUs whose board is wired for NVLink do not reach each other by it.",
          .why = "NVLink gives 300 GB/s (A100) to 450 GB/s (H100) a direction where PCIe "
                 "gives 31.5 or 63: collectives inside the machine fall to a tenth. The "
                 "fabric manager is not running or failed, the fabric did not come up, or a "
                 "GPU's links are down.",
          .by_hand = "nvidia-smi topo -m; nvidia-smi nvlink -s\n"
                     "SYS, NODE, PHB or PIX between SXM GPUs where NV# belongs; \"inActive\" "
                     "links.",
          .remedy = "Look at the fabric's state and the fabric manager's log, restart it, "
                    "reset the GPUs, then reboot. A GPU or board that stays so goes back to "
                    "its maker.",
          .benign_if = "The matrix was made with -mp, which hides NVLink; the boards are PCIe "
                       "cards without a bridge or have no NVLink; on V100 and P100 boards "
                       "some pairs have no link by design; MIG is on; or a guest was given "
                       "part of a board.",
          .references = {"NVIDIA Fabric Manager user guide", "nvidia-smi(1), topo and nvlink"}}};
}

}  // namespace

std::vector<Rule> nvlink_missing_rules() { return {missing_rule()}; }

}  // namespace railgauge::judge
