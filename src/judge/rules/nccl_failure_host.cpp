// What the host refused: shared memory, memory of the GPU, connections; and peers that went away.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "base/units.h"
#include "judge/rules/nccl_failure.h"
#include "judge/rules/nccl_said.h"

namespace railgauge::judge {
namespace {

using namespace model;

void shm(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    const Lines lines = lines_with(
        run, {"/dev/shm", "shared memory segment", "posix_fallocate", "failed to extend"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    std::string size;
    if (machine.host.shm_bytes)
      size = fmt::format(" ({} in all)", text_of_bytes(*machine.host.shm_bytes));
    Finding& finding =
        fail_lines(patient, out, run, lines,
                   fmt::format("{}: /dev/shm is full or too small{}", speakers(run, lines), size));
    if (machine.host.shm_bytes)
      finding.evidence.push_back(evidence(machine, "size of /dev/shm",
                                          text_of_bytes(*machine.host.shm_bytes), {},
                                          machine.host.shm_bytes.source()));
    finding.impact.text = "the job stops";
    finding.remedy = {{.text = "give the container more shared memory",
                       .command = "docker run --shm-size=8g …, or --ipc=host"},
                      {.text = "Kubernetes: mount an emptyDir with medium: Memory at /dev/shm"},
                      {.text = "on the host",
                       .command = "sudo mount -o remount,size=8G /dev/shm",
                       .needs_root = true},
                      {.text = "look for what dead jobs left", .command = "ls -l /dev/shm/nccl-*"}};
  }
}

void peer_closed(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines =
        lines_with(run, {"Connection closed by remote peer", "Connection reset by peer",
                         "Broken pipe", "remote process exited", "peer closed"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding =
        fail_lines(patient, out, run, lines,
                   fmt::format("{}: another rank went away first: its own log has the reason",
                               speakers(run, lines)));
    finding.impact.text = "the job stops; this message is a consequence";
    finding.remedy = {{.text = "find the earliest warning of all ranks",
                       .command = "grep -h 'NCCL WARN' *.log | sort | head"},
                      {.text = "see whether the kernel ended a process, or a GPU failed",
                       .command = "sudo dmesg -T | grep -E 'Xid|oom-kill|segfault'",
                       .needs_root = true}};
  }
}

void no_route(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    const Lines lines =
        lines_with(run, {"No route to host", "Network is unreachable", "Connection timed out",
                         "Connection refused", "socketPollConnect"});
    Lines sockets;
    for (const NcclWarning* line : lines)
      if (!contains(line->text, "ibv_")) sockets.push_back(line);
    if (sockets.empty()) {
      out.pass();
      continue;
    }
    const std::string from = run.oob ? fmt::format(" from {}", *run.oob) : std::string();
    Finding& finding = fail_lines(
        patient, out, run, sockets,
        fmt::format("{}: a peer cannot be reached{}: NCCL took an interface that does not lead "
                    "there, or a firewall is between",
                    speakers(run, sockets), from));
    // A refusal that is tried again at level INFO is usual while other ranks start.
    const bool tried_again = std::all_of(sockets.begin(), sockets.end(), [](const auto* line) {
      return line->information && contains(line->text, "refused");
    });
    if (tried_again) {
      finding.severity = Severity::note;
      finding.weight = 15;
    }
    if (run.oob)
      finding.evidence.push_back(
          evidence(machine, "interface that NCCL uses", *run.oob, {}, run.oob.source()));
    finding.impact.text = "the job does not start";
    finding.remedy = {{.text = "see which way leads to the peer", .command = "ip route get PEER"},
                      {.text = "name the interface that does, the same on all nodes, exactly",
                       .command = "export NCCL_SOCKET_IFNAME==eth0"},
                      {.text = "open all ports between the nodes, or a range of them",
                       .command = "sudo iptables -L -n; sysctl net.ipv4.ip_local_port_range",
                       .needs_root = true}};
  }
}

void device_memory(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = lines_with(run, {"out of memory", "Cuda failure 2 ",
                                         "Failed to CUDA malloc", "Failed to CUDA calloc"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: no memory left on the GPU for NCCL's buffers", speakers(run, lines)));
    finding.impact.text = "the job stops; NCCL needs some hundred MiB per communicator";
    finding.remedy = {
        {.text = "see what else holds memory of the GPU", .command = "nvidia-smi"},
        {.text = "leave NCCL room: a smaller batch, or a lower share for the framework's pool",
         .command = "torch.cuda.set_per_process_memory_fraction(0.9)"},
        {.text = "make communicators share, or have fewer channels",
         .command = "export NCCL_MAX_NCHANNELS=16"}};
  }
}

}  // namespace

void add_host_failure_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC019",
       .name = "shm-full",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = shm,
       .page = {.what = "NCCL could not make a shared memory segment: /dev/shm is full.",
                .why =
                    "Containers get 64 MiB by default. NCCL takes about 10 MiB per pair of ranks "
                    "that talk over shared memory, data loaders take more, and the job stops.",
                .by_hand = "df -h /dev/shm in the container; ls -l /dev/shm",
                .remedy =
                    "docker --shm-size=8g or --ipc=host; Kubernetes: emptyDir with medium: Memory. "
                    "If GPUs have NVLink, first find out why shared memory is used at all.",
                .benign_if = "Never: the segment was not made.",
                .references = {"NVIDIA NCCL User Guide: Troubleshooting, Shared memory",
                               "man shm_overview; docker run --shm-size"}}});
  rules.push_back(
      {.id = "NCC020",
       .name = "peer-closed",
       .severity = Severity::warning,
       .weight = 30,
       .needs = {Need::nccl_log},
       .look = peer_closed,
       .page = {
           .what = "A connection was closed from the other side.",
           .why = "One rank's end is every rank's error: hundreds of these messages follow from "
                  "one, whose reason stands elsewhere.",
           .by_hand = "Sort the warnings of all ranks by time, and read the first.",
           .remedy = "Mend the rank that went first.",
           .benign_if = "The job was ended on purpose, or had done its work.",
           .references = {"NVIDIA NCCL User Guide: Troubleshooting, Errors (ncclRemoteError)"}}});
  rules.push_back(
      {.id = "NCC032",
       .name = "no-route",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = no_route,
       .page = {
           .what = "A rank cannot connect to another one over the interface that NCCL chose.",
           .why = "NCCL takes the first interface that is up, which may be a bridge or a container "
                  "network that exists on every node by itself. The job does not start.",
           .by_hand = "grep 'Bootstrap : Using' in NCCL's log of each node: the same network?\n"
                      "ip route get PEER; nc -vz PEER PORT",
           .remedy = "NCCL_SOCKET_IFNAME==eth0 (\"=\" for exactly this one), and open the ports "
                     "between the nodes.",
           .benign_if =
               "\"Connection refused\" at level INFO that is tried again: the peer had not "
               "started yet.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_SOCKET_IFNAME)",
                          "NVIDIA NCCL User Guide: Troubleshooting, IP Network Interfaces"}}});
  rules.push_back(
      {.id = "NCC033",
       .name = "out-of-device-memory",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = device_memory,
       .page = {
           .what = "NCCL could not allocate memory on a GPU.",
           .why = "Buffers are 4 MiB per channel, peer and protocol, and some hundred MiB for each "
                  "communicator. The framework's pool or another process holds the rest.",
           .by_hand = "nvidia-smi while the job starts; grep 'out of memory' in NCCL's log",
           .remedy = "Leave NCCL room, end what else is on the GPU, or use fewer communicators and "
                     "channels.",
           .benign_if = "Never: the allocation failed.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_BUFFSIZE, "
                          "NCCL_MAX_NCHANNELS)"}}});
}

}  // namespace railgauge::judge
