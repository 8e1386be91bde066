// Calls of libibverbs, libfabric and plugins that failed.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "base/units.h"
#include "judge/rules/nccl_failure.h"
#include "judge/rules/nccl_said.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::uint64_t memlock_enough_bytes = 1ull << 30;  // a guess: queues and buffers of a job

// What the limit of locked memory says about a queue that could not be made.
std::string memlock_words(const Machine& machine, Finding& finding) {
  const auto& limit = machine.host.locked_memory_limit_bytes;
  if (!limit) return ": the limit of locked memory is the usual cause (ulimit -l)";
  finding.evidence.push_back(evidence(machine, "locked memory limit",
                                      limit->most ? text_of_bytes(*limit->most) : "unlimited",
                                      "unlimited", limit.source()));
  if (limit->most && *limit->most < memlock_enough_bytes)
    return fmt::format(": locked memory is limited to {}", text_of_bytes(*limit->most));
  return ": locked memory is not limited where this was looked at; limits of the job's own "
         "processes may differ (Slurm, containerd), or queues of the adapter ran out";
}

void queues(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = lines_with(run, {"ibv_create_cq", "ibv_create_qp", "ibv_reg_mr",
                                         "ibv_alloc_pd", "ibv_create_srq", "ibv_reg_mr_iova"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(patient, out, run, lines, {});
    const std::string why = memlock_words(patient.machine, finding);
    finding.text = fmt::format("{}: {}{}", speakers(run, lines), lines.front()->text, why);
    finding.impact.text = "no connection over RDMA is made: the job stops";
    finding.remedy = {
        {.text = "give the container unlimited locked memory",
         .command = "docker run --ulimit memlock=-1 --ulimit stack=67108864 …"},
        {.text = "under Slurm: do not pass the login shell's limit on, and lift slurmd's own",
         .command = "PropagateResourceLimitsExcept=MEMLOCK in slurm.conf; LimitMEMLOCK=infinity in "
                    "slurmd.service",
         .needs_root = true,
         .risk = Risk::disturbs,
         .risk_text = "slurmd is started again"},
        {.text = "see the limit of a running rank",
         .command = "grep 'locked memory' /proc/PID/limits"}};
  }
}

void queue_pairs(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = lines_with(run, {"ibv_modify_qp"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    const std::string_view said = lines.front()->text;
    std::string why = "the peer's address cannot be reached with this GID";
    if (contains(said, "No such device"))
      why =
          "the GID that NCCL chose does not exist here: the network device of the adapter is not "
          "in this container or network namespace";
    else if (contains(said, "timed out"))
      why =
          "the address of the GID was not resolved: an index that names a link-local (fe80::) "
          "or RoCE v1 address, or no route";
    else if (contains(said, "Invalid argument"))
      why = "GID index, MTU or service level are not what the port has";
    else if (contains(said, "unreachable"))
      why = "no route to the peer's GID: another subnet, or an index that names another interface";
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: a queue pair cannot be connected: {}", speakers(run, lines), why));
    if (const Variable* index = variable(patient.machine, "NCCL_IB_GID_INDEX"))
      finding.evidence.push_back(evidence_of(patient.machine, *index));
    finding.impact.text = "no connection over RDMA is made: the job stops";
    finding.remedy = {
        {.text = "look which indexes are RoCE v2 with an IPv4 address, inside the container too",
         .command = "show_gids"},
        {.text = "name that index (NCCL before 2.21), or unset it (2.21 and later find it)",
         .command = "export NCCL_IB_GID_INDEX=3"},
        {.text =
             "in a container without it: use the host's network, or a network plugin that moves "
             "RDMA devices",
         .command = "docker run --network host …; Kubernetes: hostNetwork: true"}};
  }
}

void dmabuf(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = lines_with(run, {"ibv_reg_dmabuf_mr", "DMA-BUF is not"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    // A probe that is refused at level INFO is how NCCL finds out; peer memory is used instead.
    const bool probe = std::all_of(lines.begin(), lines.end(),
                                   [](const NcclWarning* line) { return line->information; });
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: memory of a GPU cannot be registered as DMA-BUF: kernel, rdma-core or "
                    "network driver do not support it",
                    speakers(run, lines)));
    if (probe) {
      finding.severity = Severity::note;
      finding.weight = 15;
    }
    finding.impact.text = probe ? "GPUDirect RDMA needs nvidia_peermem instead"
                                : "the job stops, or goes without GPUDirect RDMA";
    finding.remedy = {{.text = "go back to the peer memory module",
                       .command = "sudo modprobe nvidia_peermem; export NCCL_DMABUF_ENABLE=0",
                       .needs_root = true},
                      {.text = "or update: kernel 5.12, MLNX_OFED 5.8, the open kernel modules of "
                               "the driver, and a newer NCCL"}};
  }
}

void not_opened(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = lines_with(
        run, {"ibv_open_device", "Unable to open device", "Unable to open uverbs", "uverbs"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: an adapter is there and cannot be opened: /dev/infiniband is not in the "
                    "container, or not allowed{}",
                    speakers(run, lines),
                    uses_sockets(run) ? "; NCCL fell back to sockets without an error" : ""));
    finding.impact.text = "traffic goes over TCP: a few GB/s instead of the adapter's rate";
    finding.remedy = {
        {.text = "pass the devices and the right to lock memory into the container",
         .command = "docker run --device=/dev/infiniband --cap-add IPC_LOCK "
                    "--ulimit memlock=-1 …"},
        {.text = "Kubernetes: use the RDMA device plugin, or a privileged container"},
        {.text = "see what is there", .command = "ls -l /dev/infiniband; ibv_devinfo"}};
  }
}

// "Failed to initialize NET plugin IB" after "No device found" only says that there is none.
bool only_absent(const NcclRun& run, const NcclWarning& line) {
  return line.information && contains(line.text, "Failed to initialize NET plugin IB") &&
         !lines_with(run, {"No device found"}).empty();
}

void plugins(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    Lines lines =
        lines_with(run, {"Failed to initialize NET plugin", "eligible providers",
                         "NET/Plugin: Failed to load", "NET/Plugin: Error", "NET/OFI Failed to",
                         "Failed to initialize sendrecv protocol", "Error loading plugin"});
    std::erase_if(lines, [&](const NcclWarning* line) { return only_absent(run, *line); });
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding =
        fail_lines(patient, out, run, lines,
                   fmt::format("{}: a network plugin is installed and does not work: {}",
                               speakers(run, lines), lines.front()->text));
    finding.impact.text = uses_sockets(run)
                              ? "traffic goes over TCP instead of the plugin's network"
                              : "NCCL uses another network, or stops";
    finding.remedy = {
        {.text = "see which libraries are missing or of another version",
         .command = "ldconfig -p | grep -E 'nccl-net|fabric'; ldd LIBRARY | grep 'not found'"},
        {.text = "on AWS: check that EFA is there", .command = "fi_info -p efa"},
        {.text = "install the plugin that fits this NCCL"}};
  }
}

void efa(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    Lines lines = lines_with(run, {"endpoint failed", "Couldn't open a fabric", "fi_endpoint",
                                   "Unable to create endpoint", "fi_ep_bind", "fi_enable"});
    std::erase_if(lines, [](const NcclWarning* line) { return !contains(line->text, "NET/OFI"); });
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: libfabric cannot open an endpoint of EFA: the device is not in the "
                    "container, memory cannot be locked, or plugin and libfabric do not fit",
                    speakers(run, lines)));
    finding.impact.text = "the job stops, or goes over TCP";
    finding.remedy = {
        {.text = "pass all uverbs devices and lift the limit of locked memory",
         .command = "docker run --device=/dev/infiniband --ulimit memlock=-1 …"},
        {.text = "Kubernetes: ask for vpc.amazonaws.com/efa in the pod's resources"},
        {.text = "see what libfabric finds", .command = "fi_info -p efa -t FI_EP_RDM"},
        {.text = "use plugin and libfabric of one EFA installer release"}};
  }
}

}  // namespace

void add_verbs_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC010",
       .name = "queue-creation-failed",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = queues,
       .page = {
           .what = "A completion queue, a queue pair or a memory region of an RDMA adapter could "
                   "not be made.",
           .why = "These are locked memory. With the usual limit of 64 KiB or 8 MiB not one "
                  "connection is made, and the job stops.",
           .by_hand = "ulimit -l, in the job and not in a login shell; grep 'locked memory' "
                      "/proc/PID/limits",
           .remedy = "ulimit -l unlimited: docker --ulimit memlock=-1, LimitMEMLOCK=infinity for "
                     "containerd and slurmd, PropagateResourceLimitsExcept=MEMLOCK for Slurm.",
           .benign_if = "Never: the connection is not there. With an unlimited limit the adapter's "
                        "own count of queue pairs or registered memory may be used up.",
           .references = {"man ibv_create_cq, ibv_reg_mr, getrlimit (RLIMIT_MEMLOCK)",
                          "slurm.conf manual: PropagateResourceLimitsExcept"}}});
  rules.push_back(
      {.id = "NCC011",
       .name = "queue-pair-unreachable",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}, {"NCC008"}},
       .look = queue_pairs,
       .page = {
           .what = "A queue pair could not be moved to the state in which it reaches its peer "
                   "(ibv_modify_qp).",
           .why = "On RoCE the address of the peer is resolved in this step, with the GID of the "
                  "index in use. A link-local or RoCE v1 GID, or one whose network device is not "
                  "in the container, cannot be resolved, and the job stops.",
           .by_hand = "show_gids on every node, and inside the container: the index must be a RoCE "
                      "v2 row with an IPv4 address.\nping the peer from that interface.",
           .remedy = "NCCL 2.21 or later: unset NCCL_IB_GID_INDEX. Before: the index of the RoCE "
                     "v2 IPv4 row. In containers: the host's network or an RDMA-aware network "
                     "plugin.",
           .benign_if = "Never: the connection is not there.",
           .references = {"man ibv_modify_qp",
                          "NVIDIA NCCL User Guide: Environment Variables (NCCL_IB_GID_INDEX)"}}});
  rules.push_back(
      {.id = "NCC018",
       .name = "dmabuf-unsupported",
       .severity = Severity::error,
       .weight = 70,
       .needs = {Need::nccl_log},
       .explains = {{"NCC002"}, {"NCC020"}, {"NCC027"}},
       .look = dmabuf,
       .page = {
           .what = "NCCL wanted to register a GPU's memory with the adapter by DMA-BUF, and the "
                   "kernel or the network driver refused.",
           .why = "NCCL 2.12 and later prefer DMA-BUF where CUDA offers it. Where registration is "
                  "refused and nvidia_peermem is not loaded, GPUDirect RDMA is not possible.",
           .by_hand = "uname -r (5.12 or later); ofed_info -s; cat /proc/driver/nvidia/version "
                      "(Open Kernel Module); lsmod | grep peermem",
           .remedy = "NCCL_DMABUF_ENABLE=0 with nvidia_peermem loaded, or newer kernel, network "
                     "drivers and NCCL.",
           .benign_if = "The line is of level INFO: NCCL only asked, and takes nvidia_peermem.",
           .references = {
               "Linux kernel documentation: Buffer Sharing and Synchronization (dma-buf)",
               "NVIDIA NCCL User Guide: Environment Variables (NCCL_DMABUF_ENABLE)",
               "NVIDIA GPUDirect RDMA documentation"}}});
  rules.push_back(
      {.id = "NCC029",
       .name = "adapter-not-opened",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::nccl_log},
       .explains = {{"NCC001"}, {"NCC027"}, {"NCC020"}},
       .look = not_opened,
       .page = {
           .what = "libibverbs lists an adapter and NCCL cannot open it.",
           .why = "NCCL goes on with sockets and says so only at level INFO: a 200 Gb/s adapter "
                  "(25 GB/s) becomes 1-5 GB/s of TCP.",
           .by_hand = "ls -l /dev/infiniband in the container: uverbs0 … must be there and "
                      "readable.\ngrep 'Unable to open device' in NCCL's log.",
           .remedy = "docker run --device=/dev/infiniband --cap-add IPC_LOCK; Kubernetes: the RDMA "
                     "device plugin.",
           .benign_if = "The adapter is meant for the host alone (storage), and NCCL_IB_HCA names "
                        "others that were opened.",
           .references = {"man ibv_open_device",
                          "NVIDIA NCCL User Guide: Troubleshooting, Networking Issues"}}});
  rules.push_back(
      {.id = "NCC023",
       .name = "plugin-failed",
       .severity = Severity::warning,
       .weight = 70,
       .needs = {Need::nccl_log},
       .explains = {{"NCC001"}, {"NCC027"}},
       .look = plugins,
       .page = {.what = "A network plugin of NCCL was found and could not be used.",
                .why =
                    "NCCL goes on with its own networks. On clouds whose adapter only the plugin "
                    "drives (EFA), that is TCP.",
                .by_hand = "grep -E 'NET/Plugin|NET/OFI' in NCCL's log; ldd libnccl-net.so",
                .remedy = "Install what the plugin needs, or the plugin that fits this NCCL.",
                .benign_if = "\"Failed to find ncclNetPlugin_v5 symbol\" only tells that an older "
                             "interface is tried next; \"NET plugin IB\" fails where there is no "
                             "RDMA adapter.",
                .references = {"NVIDIA NCCL: plugins/net/README.md",
                               "aws-ofi-nccl: README, Troubleshooting"}}});
  rules.push_back(
      {.id = "NCC030",
       .name = "efa-endpoint-failed",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC001"}, {"NCC023"}, {"NCC027"}, {"NCC020"}},
       .look = efa,
       .page = {
           .what = "The plugin for AWS found EFA and could not open an endpoint on it.",
           .why = "No traffic goes over EFA: the job stops, or falls back to TCP at a few GB/s.",
           .by_hand = "fi_info -p efa in the container; ls /dev/infiniband; ulimit -l",
           .remedy = "Pass /dev/infiniband with all its uverbs devices, lift the limit of locked "
                     "memory, and take plugin and libfabric from one release of the EFA installer.",
           .benign_if = "Never: the endpoint is not there.",
           .references = {"AWS documentation: Get started with EFA and NCCL",
                          "aws-ofi-nccl: README, Troubleshooting"}}});
}

}  // namespace railgauge::judge
