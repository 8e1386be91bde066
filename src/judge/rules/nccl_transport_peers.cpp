// How ranks of one node reach each other, against what joins their GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_transport.h"
#include "model/paths.h"

namespace railgauge::judge {
namespace {

using namespace model;

enum class Joined { unknown, nvlink, pcie_near, far };

struct Between {
  Joined joined = Joined::unknown;
  std::string words;  // "NV12", "PIX", "NVL (NCCL's own topology)"
  Evidence evidence;
  std::vector<DeviceId> gpus;
};

Joined kind_of(std::string_view word) {
  if (word.starts_with("NV")) return Joined::nvlink;
  if (word == "PIX" || word == "PXB") return Joined::pcie_near;
  return Joined::far;
}

// By the log's own topology: NCCL found the path and did not take it.
Between by_log(const Machine& machine, const NcclRun& run, int from, int to) {
  const NcclRank* a = rank_of(run, from);
  const NcclRank* b = rank_of(run, to);
  if (a == nullptr || b == nullptr || !a->address || !b->address) return {};
  for (const NcclTopologyPath& path : run.paths) {
    const bool same = (path.a == *a->address && path.b == *b->address) ||
                      (path.a == *b->address && path.b == *a->address);
    if (same)
      return {kind_of(path.type),
              path.type,
              evidence(machine, fmt::format("NCCL's path {} {}", path.a.text(), path.b.text()),
                       path.type, {}, path.source),
              {}};
  }
  return {};
}

Between between(const Machine& machine, const NcclRun& run, int from, int to) {
  const auto a = gpu_of(machine, run, from);
  const auto b = gpu_of(machine, run, to);
  if (a && b && *a != *b) {
    const auto smi = smi_class(machine, *a, *b);
    if (smi && !(machine.nvlink_hidden && smi->kind != SmiClass::nv))
      return {
          kind_of(smi->text()),
          smi->text(),
          {"topology", fmt::format("{} and {}: {}", machine[*a].id, machine[*b].id, smi->text()),
           "P2P", "topology"},
          {*a, *b}};
  }
  return by_log(machine, run, from, to);
}

bool same_host(const NcclRun& run, int from, int to) {
  const NcclRank* a = rank_of(run, from);
  const NcclRank* b = rank_of(run, to);
  return a != nullptr && b != nullptr && !a->host.empty() && a->host == b->host;
}

// A variable that keeps NCCL from P2P, as words with evidence.
const Variable* p2p_variable(const Machine& machine) {
  if (variable_is(machine, "NCCL_P2P_DISABLE", {"1"})) return variable(machine, "NCCL_P2P_DISABLE");
  if (variable_is(machine, "NCCL_P2P_LEVEL", {"LOC", "0"}))
    return variable(machine, "NCCL_P2P_LEVEL");
  return nullptr;
}

// The driver's own answer for two GPUs, where somebody asked: topo -p2p.
std::string p2p_status(const Machine& machine, const Between& pair) {
  if (pair.gpus.size() != 2) return {};
  const Pair* known = machine.find_pair(pair.gpus[0], pair.gpus[1]);
  if (known == nullptr || !known->p2p_read || *known->p2p_read == P2pStatus::ok) return {};
  return std::string(text(*known->p2p_read));
}

bool redirects(const Machine& machine) {
  return std::any_of(machine.devices.begin(), machine.devices.end(), [](const Device& device) {
    return device.pci && device.pci->acs && device.pci->acs->redirects() &&
           (device.kind == DeviceKind::switch_port || device.kind == DeviceKind::root_port);
  });
}

struct Detour {
  std::vector<std::string> pairs;  // "0 → 1"
  std::size_t judged = 0;
  std::size_t unknown = 0;
  bool nvlink = false;
  Between example;
  const NcclConnection* way = nullptr;
};

template <class Wanted>
Detour detours(const Machine& machine, const NcclRun& run, Wanted wanted) {
  Detour out;
  std::set<std::pair<int, int>> seen;
  constexpr std::size_t pairs_max = 4096;
  for (const NcclConnection& way : run.connections) {
    if (!wanted(way) || seen.size() >= pairs_max || !seen.insert({way.from, way.to}).second)
      continue;
    const Between pair = between(machine, run, way.from, way.to);
    if (pair.joined == Joined::unknown) {
      ++out.unknown;
      if (out.way == nullptr) out.way = &way;
      continue;
    }
    ++out.judged;
    if (pair.joined == Joined::far) continue;
    const bool first_nvlink = pair.joined == Joined::nvlink && !out.nvlink;
    if (out.pairs.empty() || first_nvlink) {
      out.example = pair;
      out.way = &way;
    }
    out.nvlink = out.nvlink || pair.joined == Joined::nvlink;
    out.pairs.push_back(fmt::format("{} → {}", way.from, way.to));
  }
  return out;
}

// Why, as far as anything here tells.
std::string why(const Patient& patient, const Detour& detour, Finding& finding) {
  const Machine& machine = patient.machine;
  if (const Variable* cause = p2p_variable(machine)) {
    finding.evidence.push_back(evidence_of(machine, *cause));
    finding.remedy.push_back({.text = "take the variable away, in images and /etc/nccl.conf too",
                              .command = "unset " + cause->name});
    return fmt::format("; {}={} forbids P2P", cause->name, cause->value);
  }
  if (const std::string status = p2p_status(machine, detour.example); !status.empty()) {
    finding.evidence.push_back({"nvidia-smi topo -p2p", status, "OK", "topo -p2p"});
    return "; the driver does not allow P2P between them (" + status + ")";
  }
  if (!detour.nvlink && redirects(machine))
    return "; ACS redirects their traffic to the root complex, which P2P has to avoid";
  if (machine.host.container && *machine.host.container != "none")
    finding.remedy.push_back({.text = "let the ranks see each other's GPUs: one container, or one "
                                      "IPC namespace and all GPUs visible in each",
                              .command = "docker run --gpus all --ipc=host …"});
  finding.remedy.push_back({.text = "look for a reason at the start of the log",
                            .command = "grep -E 'P2P|NCCL_P2P' NCCL.log; nvidia-smi topo -p2p r"});
  return {};
}

void fill(const Patient& patient, Finding& finding, const Detour& detour) {
  const Machine& machine = patient.machine;
  finding.devices = detour.example.gpus;
  finding.evidence = {
      evidence(machine, fmt::format("channel {} -> {}", detour.way->from, detour.way->to),
               detour.way->via, "P2P", detour.way->source),
      detour.example.evidence};
  finding.impact.text = "traffic between these GPUs goes through host memory";
  if (detour.example.gpus.size() != 2) return;
  const auto path = best_path(machine, detour.example.gpus[0], detour.example.gpus[1]);
  if (path && path->as_found) finding.impact.could = *path->as_found;
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::pcie && link.a == detour.example.gpus[0] && link.as_found)
      finding.impact.now = *link.as_found;  // at the most: once in and once out of host memory
  if (finding.impact.now && finding.impact.could &&
      finding.impact.could->value > finding.impact.now->value)
    finding.impact.lost_fraction = 1 - finding.impact.now->value / finding.impact.could->value;
}

bool is_shm(const NcclConnection& way) {
  return way.via.starts_with("SHM") || way.via.starts_with("direct shared memory");
}

void shm(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    if (run.connections.empty()) continue;
    const Detour detour = detours(machine, run, is_shm);
    if (detour.pairs.empty()) {
      // A variable that forbids it tells enough even where no topology does.
      if (detour.unknown == 0 || is_geforce(machine) ||
          !lines_with(run, {"P2P not supported"}).empty()) {
        out.pass();
        continue;
      }
      const Variable* cause = p2p_variable(machine);
      if (cause == nullptr) {
        out.unknown(log_of(run), Need::gpu_matrix);
        continue;
      }
      Finding& finding = out.fail(
          log_of(run),
          fmt::format("ranks use shared memory, and {}={} forbids P2P", cause->name, cause->value));
      finding.evidence = {evidence(machine, "channel", detour.way->via, "P2P", detour.way->source),
                          evidence_of(machine, *cause)};
      finding.impact.text = "traffic between GPUs goes through host memory";
      finding.remedy = {{.text = "take the variable away", .command = "unset " + cause->name}};
      continue;
    }
    if (is_geforce(machine)) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(log_of(run), {});
    fill(patient, finding, detour);
    finding.text =
        fmt::format("ranks {} use shared memory although {} joins their GPUs{}",
                    some_of(detour.pairs), detour.example.words, why(patient, detour, finding));
    if (!detour.nvlink) {
      finding.severity = Severity::warning;
      finding.weight = 55;
    }
  }
}

void net(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    if (run.connections.empty()) continue;
    const Detour detour = detours(machine, run, [&](const NcclConnection& way) {
      return way.via.starts_with("NET/") && same_host(run, way.from, way.to);
    });
    if (detour.pairs.empty() || !detour.nvlink) {
      // Between PCIe GPUs NCCL prefers adapters that are faster than their P2P, on purpose.
      if (detour.unknown > 0)
        out.unknown(log_of(run), Need::gpu_matrix);
      else
        out.pass();
      continue;
    }
    Finding& finding = out.fail(log_of(run), {});
    fill(patient, finding, detour);
    finding.text = fmt::format(
        "ranks {} of one host talk over the network although {} joins their "
        "GPUs{}",
        some_of(detour.pairs), detour.example.words, why(patient, detour, finding));
    finding.impact.text = "NVLink is not used: traffic goes out of the adapter and back";
    finding.remedy.push_back({.text =
                                  "run all ranks of a node in one container, or with the host's "
                                  "IPC and PID namespaces",
                              .command = "docker run --gpus all --ipc=host --pid=host …"});
  }
}

void refused(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    const Lines connected = lines_with(run, {"P2P is disabled between connected GPUs"});
    const Lines plain = lines_with(run, {"P2P not supported between GPU", "Could not enable P2P"});
    if (connected.empty() && plain.empty()) {
      out.pass();
      continue;
    }
    const bool nvlink = !connected.empty();
    const Lines& lines = nvlink ? connected : plain;
    Finding& finding = fail_lines(
        patient, out, run, lines,
        nvlink ? fmt::format("{}: the driver says that P2P is off between GPUs that are joined: {}",
                             speakers(run, lines), lines.front()->text)
               : fmt::format("{}: the driver does not allow P2P between GPUs: {}",
                             speakers(run, lines), lines.front()->text));
    if (!nvlink || is_geforce(machine)) {
      finding.severity = Severity::note;
      finding.weight = 25;
      finding.text += is_geforce(machine) ? "; expected on GeForce, whose driver does not have it"
                                          : "; expected on GeForce and between some PCIe slots";
    }
    finding.impact.text = nvlink ? "the job stops, or NVLink is not used"
                                 : "traffic between these GPUs goes through host memory";
    finding.remedy = {
        {.text = "see what the driver says of each pair", .command = "nvidia-smi topo -p2p r"},
        {.text = "look at the NVLinks and, with NVSwitch, at fabric manager",
         .command = "nvidia-smi nvlink -s; nvidia-smi -q | grep -A 4 Fabric"}};
    if (nvlink)
      finding.remedy.push_back({.text = "NCCL_IGNORE_DISABLED_P2P=1 only hides the message"});
  }
}

}  // namespace

void add_peer_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC004",
       .name = "shm-instead-of-p2p",
       .severity = Severity::error,
       .weight = 80,
       .needs = {Need::nccl_log},
       .explains = {{"NCC019"}, {"NCC201"}, {"NCC205"}},
       .look = shm,
       .page = {
           .what = "Ranks of one node exchange data through shared memory in the host although "
                   "NVLink, or a PCIe switch, joins their GPUs.",
           .why = "NVLink carries 100-450 GB/s in each direction, shared memory 5-20 GB/s and the "
                  "host's memory bandwidth. NCCL does so when P2P is forbidden (NCCL_P2P_DISABLE, "
                  "NCCL_P2P_LEVEL), when the driver refuses it, when ACS redirects it, or when a "
                  "container hides the other GPU.",
           .by_hand = "grep ' via ' in NCCL's log: SHM between ranks of one node\n"
                      "nvidia-smi topo -m: NV# or PIX between their GPUs\nenv | grep NCCL_P2P\n"
                      "nvidia-smi topo -p2p r: OK?",
           .remedy =
               "Unset the variables; give all ranks of a node one IPC namespace and all GPUs; "
               "switch ACS redirection off.",
           .benign_if = "GPUs that meet only at the host bridge or across sockets, where shared "
                        "memory can be faster than P2P; GeForce boards, whose driver refuses P2P.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_P2P_DISABLE, "
                          "NCCL_P2P_LEVEL)",
                          "NVIDIA NCCL User Guide: Troubleshooting, GPU-to-GPU communication"}}});
  rules.push_back(
      {.id = "NCC005",
       .name = "net-instead-of-nvlink",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::nccl_log},
       .explains = {{"NCC201"}, {"NCC202"}},
       .look = net,
       .page = {
           .what = "Ranks of one host talk over the network although NVLink joins their GPUs.",
           .why =
               "NCCL takes two ranks for two hosts when their containers differ (host name, boot "
               "id, namespaces), or when P2P and shared memory are forbidden. A 400 Gb/s adapter "
               "is 50 GB/s; NVLink of an H100 450 GB/s.",
           .by_hand = "grep ' via NET' in NCCL's log between ranks of one node",
           .remedy =
               "One container for all ranks of a node, or shared IPC and PID namespaces; unset "
               "NCCL_P2P_DISABLE and NCCL_SHM_DISABLE.",
           .benign_if = "GPUs without NVLink whose near adapters are faster than PCIe P2P: NCCL "
                        "chooses that itself.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_HOSTID, "
                          "NCCL_SHM_DISABLE)",
                          "NVIDIA NCCL User Guide: Troubleshooting, Docker"}}});
  rules.push_back(
      {.id = "NCC006",
       .name = "p2p-off-by-driver",
       .severity = Severity::error,
       .weight = 80,
       .needs = {Need::nccl_log},
       .explains = {{"NCC004"}, {"NCC005"}, {"NCC027"}},
       .look = refused,
       .page = {
           .what = "The driver told NCCL that two GPUs may not access each other's memory.",
           .why =
               "Between GPUs that NVLink joins this is a fault: a link is down, fabric manager is "
               "not ready, or a setting of the driver. NCCL stops. Between PCIe GPUs NCCL goes "
               "through shared memory.",
           .by_hand = "nvidia-smi topo -p2p r : OK, CNS (chipset), GNS (GPU), TNS (topology), DR "
                      "(disabled by regkey)\nnvidia-smi nvlink -s",
           .remedy = "Mend the NVLinks or the fabric. NCCL_IGNORE_DISABLED_P2P=1 hides the message "
                     "and not the fault.",
           .benign_if = "GeForce boards: their driver has no P2P. Then it is a note, as it is for "
                        "PCIe pairs.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables "
                          "(NCCL_IGNORE_DISABLED_P2P)",
                          "NVIDIA NVML API Reference: nvmlDeviceGetP2PStatus"}}});
}

}  // namespace railgauge::judge
