// Whether adapters reach GPU memory by themselves, and why not.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_transport.h"
#include "judge/rules/pcie_link_path.h"
#include "model/groups.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool is_opa(std::string_view nic) { return nic.starts_with("hfi1"); }

bool rdma_way(const NcclConnection& way) {
  return way.via.starts_with("NET/") && !way.via.starts_with("NET/Socket") &&
         !way.via.starts_with("NET/FastSocket");
}

struct Ways {
  std::uint64_t direct = 0;
  std::uint64_t staged = 0;  // through host memory
  const NcclConnection* example = nullptr;
};

Ways ways_of(const NcclRun& run) {
  Ways out;
  for (const NcclConnection& way : run.connections) {
    if (!rdma_way(way)) continue;
    if (contains(way.via, "GDRDMA")) {
      out.direct += way.channels;
    } else {
      out.staged += way.channels;
      if (out.example == nullptr) out.example = &way;
    }
  }
  return out;
}

// What the module list and the driver tell about peer memory.
struct PeerMemory {
  std::string words;
  std::vector<Evidence> evidence;
};

PeerMemory peer_memory(const Machine& machine) {
  const auto module =
      std::find_if(machine.modules.begin(), machine.modules.end(), [](const KernelModule& one) {
        return one.name == "nvidia_peermem" || one.name == "nv_peer_mem";
      });
  if (machine.modules.empty())
    return {"nvidia_peermem is not loaded, or loaded and not registered with the RDMA core", {}};
  if (module == machine.modules.end()) return {"nvidia_peermem is not loaded", {}};
  return {module->name +
              " is loaded and not registered with the RDMA core: the network drivers "
              "were installed after the driver, or have no peer memory interface",
          {evidence(machine, "module", module->name, "registered in /sys/kernel/mm/memory_peers",
                    module->source)}};
}

std::vector<RemedyStep> gdr_remedy() {
  return {
      {.text = "load the module, and look whether it registers",
       .command = "sudo modprobe nvidia_peermem; cat /sys/kernel/mm/memory_peers/nv_mem*/version",
       .needs_root = true},
      {.text = "if it does not load or register: install the driver again after the network "
               "drivers, or use the open kernel modules with DMA-BUF (kernel 5.12, NCCL 2.12)"},
      {.text = "in the log afterwards", .command = "grep -E 'GPU Direct RDMA|GDRDMA' NCCL.log"}};
}

// Disabled for adapters that could: lines without a distance, of networks that are no sockets.
std::vector<const NcclGdr*> refused(const NcclRun& run) {
  std::vector<const NcclGdr*> out;
  for (const NcclGdr& gdr : run.gdr) {
    if (gdr.enabled || gdr.distance || is_socket(gdr.network)) continue;
    const bool elsewhere = std::any_of(run.gdr.begin(), run.gdr.end(), [&](const NcclGdr& other) {
      return other.enabled && other.nic == gdr.nic;
    });
    if (!elsewhere) out.push_back(&gdr);
  }
  return out;
}

void no_peer_memory_of(const Patient& patient, Verdicts& out, const NcclRun& run,
                       const std::vector<const NcclGdr*>& off, const Ways& ways) {
  const Machine& machine = patient.machine;
  std::vector<std::string> names;
  for (const NcclGdr* gdr : off) names.push_back(gdr->nic);
  if (names.empty())
    for (const NcclNic& nic : run.nics)
      if (!nic.layer.empty() && std::find(names.begin(), names.end(), nic.name) == names.end())
        names.push_back(nic.name);
  const PeerMemory why = peer_memory(machine);
  Finding& finding = out.fail(
      log_of(run),
      fmt::format(
          "GPUDirect RDMA is off for {}{}: {}", names.empty() ? "the network" : some_of(names),
          ways.staged > 0 ? fmt::format(" ({} connections go through host memory)", ways.staged)
                          : std::string(),
          why.words));
  for (const NcclGdr* gdr : off) {
    if (finding.evidence.size() == 3) break;
    finding.evidence.push_back(
        evidence(machine, "GPU Direct RDMA for " + gdr->nic, "Disabled", "Enabled", gdr->source));
  }
  if (ways.example != nullptr)
    finding.evidence.push_back(
        evidence(machine, fmt::format("channel {} -> {}", ways.example->from, ways.example->to),
                 ways.example->via, ways.example->via + "/GDRDMA", ways.example->source));
  finding.evidence.insert(finding.evidence.end(), why.evidence.begin(), why.evidence.end());
  if (on_one_host(run).value_or(false)) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
  finding.impact.text =
      "each byte between nodes is copied through host memory: about half the adapter's rate";
  finding.remedy = gdr_remedy();
}

// A log that tells of RDMA adapters and not a word about GPUDirect: an excerpt, or an old version.
void nothing_said(const Patient& patient, Verdicts& out, const NcclRun& run) {
  const NcclNic* first = nullptr;
  bool opa = false;
  for (const NcclNic& nic : run.nics) {
    if (nic.layer.empty()) continue;
    if (first == nullptr) first = &nic;
    opa = opa || is_opa(nic.name);
  }
  if (first == nullptr) return;
  Finding& finding = out.fail(
      log_of(run),
      opa ? fmt::format("{} is an Omni-Path adapter: GPUDirect RDMA needs Intel's own driver and "
                        "plugin, and NCCL's verbs go without",
                        first->name)
          : fmt::format("nothing says that GPUDirect RDMA is on ({} {}): nvidia_peermem may be "
                        "missing, or the GPU too far away; look for /GDRDMA in the channel lines",
                        first->name, first->layer));
  finding.severity = Severity::note;
  finding.weight = 20;
  finding.evidence = {
      evidence(patient.machine, "NCCL lists", first->name + "/" + first->layer, {}, first->source)};
  finding.impact.text = "if it is off, about half the adapter's rate";
  finding.remedy = gdr_remedy();
}

void no_peer_memory(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const auto off = refused(run);
    const Ways ways = ways_of(run);
    const bool distance = std::any_of(run.gdr.begin(), run.gdr.end(), [](const NcclGdr& gdr) {
      return !gdr.enabled && gdr.distance;
    });
    const bool on =
        ways.direct > 0 || (run.gdr_used && *run.gdr_used) ||
        std::any_of(run.gdr.begin(), run.gdr.end(), [](const NcclGdr& gdr) { return gdr.enabled; });
    if (!off.empty() || (ways.staged > 0 && !on && !distance)) {
      const bool opa = std::any_of(run.nics.begin(), run.nics.end(),
                                   [](const NcclNic& nic) { return is_opa(nic.name); });
      if (opa)
        nothing_said(patient, out, run);
      else
        no_peer_memory_of(patient, out, run, off, ways);
    } else if (on) {
      out.pass();
    } else if (!uses_sockets(run) && !distance && run.warnings.empty()) {
      nothing_said(patient, out, run);
    }
  }
}

struct Decoded {
  std::string distance;
  std::string allowed;
};

// The numbers are places in a list that changed. Without a version: of the one whose default, PXB,
// the allowed number is.
Decoded decode(const NcclRun& run, int distance, int allowed) {
  std::vector<NcclVersion> versions;
  if (const auto version = version_of(run))
    versions = {*version};
  else
    versions = {{2, 12, 0}, {2, 18, 0}, {2, 30, 0}, {2, 26, 0}, {2, 8, 0}, {2, 6, 0}};
  for (const NcclVersion& version : versions) {
    const auto far = nccl_path_of_number(distance, version);
    const auto most = nccl_path_of_number(allowed, version);
    if (!far || !most || (versions.size() > 1 && *most != NcclPath::pxb)) continue;
    return {std::string(text(*far)), std::string(text(*most))};
  }
  return {};
}

std::optional<DeviceId> gpu_named(const Machine& machine, const std::string& gpu) {
  const auto bus = parse_hex(gpu);
  if (!bus) return std::nullopt;
  const PciAddress address{
      static_cast<std::uint32_t>(*bus >> 20), static_cast<std::uint8_t>(*bus >> 12 & 0xff),
      static_cast<std::uint8_t>(*bus >> 4 & 0xff), static_cast<std::uint8_t>(*bus & 0xf)};
  const auto id = machine.at(address);
  if (!id || machine[*id].kind != DeviceKind::gpu) return std::nullopt;
  return id;
}

// The GPU's nearest adapter, when the topology is known.
std::string nearest_words(const Machine& machine, std::optional<DeviceId> gpu) {
  if (!gpu) return {};
  const auto nics = nics_by_distance(machine, *gpu);
  if (nics.empty()) return {};
  return fmt::format("; its nearest adapter is {} ({})", machine[nics.front().nic].id,
                     nics.front().distance.text());
}

void too_far(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    std::vector<const NcclGdr*> far;
    bool near = false;
    for (const NcclGdr& gdr : run.gdr) {
      near = near || gdr.enabled;
      if (!gdr.enabled && gdr.distance && gdr.distance_allowed && !is_socket(gdr.network))
        far.push_back(&gdr);
    }
    if (far.empty()) {
      if (near) out.pass();
      continue;
    }
    const NcclGdr& first = *far.front();
    const auto gpu = gpu_named(machine, first.gpu);
    const Decoded words = decode(run, *first.distance, *first.distance_allowed);
    const std::string decoded =
        words.distance.empty()
            ? fmt::format("{} > {}", *first.distance, *first.distance_allowed)
            : fmt::format("{} > {} is {} beyond {}", *first.distance, *first.distance_allowed,
                          words.distance, words.allowed);
    Finding& finding = out.fail(
        log_of(run), fmt::format("GPUDirect RDMA is off for GPU {} and {} (distance {}){}{}",
                                 first.gpu.empty() ? "?" : first.gpu, first.nic, decoded,
                                 nearest_words(machine, gpu),
                                 far.size() > 1 ? fmt::format("; {} such pairs", far.size()) : ""));
    if (gpu) finding.devices = {*gpu};
    for (const NcclGdr* gdr : far) {
      if (finding.evidence.size() == 4) break;
      finding.evidence.push_back(evidence(
          machine, "distance of GPU " + gdr->gpu + " and " + gdr->nic,
          std::to_string(*gdr->distance), std::to_string(*gdr->distance_allowed), gdr->source));
    }
    const Variable* level = variable(machine, "NCCL_NET_GDR_LEVEL");
    if (level != nullptr) finding.evidence.push_back(evidence_of(machine, *level));
    if (links_are_virtual(patient)) {
      finding.severity = Severity::note;
      finding.text += "; in a guest the distance is the hypervisor's invention";
    }
    finding.impact.text = "these GPUs' traffic is copied through host memory: about half the rate";
    finding.remedy = {
        {.text = "give each rank the adapter near its GPU: right order of GPUs, all adapters "
                 "visible",
         .command = "nvidia-smi topo -m; unset NCCL_IB_HCA"},
        {.text = "only if the platform is known to be fast that way (guests, one socket)",
         .command = "export NCCL_NET_GDR_LEVEL=SYS",
         .risk_text = "traffic crosses CPU sockets and can be slower than copying"}};
  }
}

}  // namespace

void add_gdr_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC002",
       .name = "gdr-off-no-peer-memory",
       .severity = Severity::error,
       .weight = 75,
       .needs = {Need::nccl_log},
       .explains = {{"NCC201"}, {"NCC204"}, {"NCC207"}},
       .look = no_peer_memory,
       .page = {
           .what = "Adapters do not read and write GPU memory by themselves (GPUDirect RDMA), "
                   "although the network could.",
           .why = "Every byte is copied through host memory on both sides: about half of a fast "
                  "adapter's rate, and load on the sockets' memory.",
           .by_hand = "grep 'GPU Direct RDMA' in NCCL's log; channel lines end in /GDRDMA\n"
                      "lsmod | grep peermem\ncat /sys/kernel/mm/memory_peers/nv_mem*/version : "
                      "registered",
           .remedy =
               "modprobe nvidia_peermem, loaded after the network drivers; or the open kernel "
               "modules with DMA-BUF.",
           .benign_if =
               "The line is of NET/Socket or FastSocket, which never can; all ranks are on "
               "one host; or the adapters are Omni-Path (a note then). A log that does not "
               "speak of it is a note.",
           .references = {"NVIDIA GPUDirect RDMA documentation: nvidia-peermem",
                          "NVIDIA NCCL User Guide: Troubleshooting, GPU Direct",
                          "NVIDIA NCCL User Guide: Environment Variables (NCCL_DMABUF_ENABLE)"}}});
  rules.push_back(
      {.id = "NCC003",
       .name = "gdr-off-distance",
       .severity = Severity::warning,
       .weight = 60,
       .needs = {Need::nccl_log},
       .explains = {{"NCC204"}, {"NCC207"}},
       .look = too_far,
       .page = {
           .what = "GPUDirect RDMA is off between a GPU and an adapter because NCCL finds them too "
                   "far apart.",
           .why =
               "NCCL allows PXB (PCIe switches) and nearer by default. Beyond, it copies through "
               "host memory. The numbers in the log are places in a list that changed with "
               "versions: 7 > 4 is SYS beyond PXB in 2.12 to 2.20.",
           .by_hand =
               "grep 'distance' in NCCL's log; nvidia-smi topo -m: the class between this GPU "
               "and this adapter",
           .remedy =
               "Let each GPU use the adapter near it. NCCL_NET_GDR_LEVEL=SYS only where it was "
               "measured to be faster.",
           .benign_if =
               "It is policy and not a fault; the board has fewer adapters than GPUs; in a "
               "guest distances are invented (a note then).",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_NET_GDR_LEVEL)"}}});
}

}  // namespace railgauge::judge
