// Limits that jobs run into: shared memory, locked memory, open files, memory of the container,
// buffers of sockets.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/host_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = kib * 1024;
constexpr std::uint64_t gib = mib * 1024;

std::size_t gpus_of(const Machine& machine) { return machine.of_kind(DeviceKind::gpu).size(); }

bool has_rdma(const Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::nic))
    if (machine[id].nic->rdma_device) return true;
  return false;
}

std::vector<RemedyStep> more_shared_memory() {
  return {step("Docker", "docker run --shm-size=16g …   (or --ipc=host)"),
          step("Kubernetes: an emptyDir with medium: Memory, mounted at /dev/shm"),
          root_step("on the host", "mount -o remount,size=50% /dev/shm")};
}

void shared_memory(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& size = machine.host.shm_bytes;
  const auto& used = machine.host.shm_used_bytes;
  constexpr std::uint64_t default_of_containers = 64 * mib;
  const std::uint64_t ranks = std::max<std::uint64_t>(gpus_of(machine), 1);
  // NCCL takes about 10 MB for each peer without P2P; data loaders pass whole batches.
  const std::uint64_t wanted = std::max<std::uint64_t>(gib, ranks * 256 * mib);
  const bool full = used && *size > 0 && *used * 20 >= *size * 19;
  if (*size >= wanted && !full) {
    out.pass();
    return;
  }
  Finding& finding = out.fail(
      "host",
      full ? fmt::format("/dev/shm is full: {} of {}", text_of_bytes(*used), text_of_bytes(*size))
           : fmt::format("/dev/shm has {} for {}", text_of_bytes(*size), counted(ranks, "rank")));
  if (!full && *size > default_of_containers) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
  finding.evidence = {evidence(machine, "size of /dev/shm", text_of_bytes(*size),
                               text_of_bytes(wanted) + " or more", size.source())};
  if (used)
    finding.evidence.push_back(evidence(machine, "used", text_of_bytes(*used), {}, used.source()));
  finding.impact.text =
      "NCCL's shared memory transport and DataLoader workers fail: \"unable to "
      "allocate shared memory\", \"Bus error\"";
  finding.remedy = more_shared_memory();
  if (full)
    finding.remedy.insert(finding.remedy.begin(), step("look for what dead jobs left behind",
                                                       "ls -l /dev/shm | head; "
                                                       "fuser -v /dev/shm/*"));
}

void locked_memory(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& limit = machine.host.locked_memory_limit_bytes;
  if (limit->unlimited()) {
    out.pass();
    return;
  }
  const std::uint64_t most = *limit->most;
  const std::uint64_t memory = machine.host.memory_bytes.value_or(0);
  constexpr std::uint64_t plenty = 16 * gib;  // of all a rank registers, many times over
  if (most >= plenty && most >= memory / 10) {
    out.pass();
    return;
  }
  Finding& finding = out.fail("process", fmt::format("may lock {} of memory", text_of_bytes(most)));
  const bool rdma = has_rdma(machine);
  if (!rdma) {
    finding.severity = Severity::note;
    finding.weight = 15;
  }
  finding.evidence = {evidence(machine, "limit of locked memory", text_of_bytes(most), "unlimited",
                               limit.source())};
  finding.impact.text =
      rdma ? "registering buffers with the adapter fails: ibv_reg_mr, ibv_create_cq "
             "or ibv_create_qp return \"Cannot allocate memory\""
           : "RDMA would fail; without RDMA adapters nothing does";
  finding.remedy = {
      root_step("raise it for logins",
                "printf '* soft memlock unlimited\\n* hard memlock "
                "unlimited\\n' > /etc/security/limits.d/90-rdma.conf"),
      root_step("for Slurm: in a drop-in of slurmd.service LimitMEMLOCK=infinity, and "
                "PropagateResourceLimitsExcept=MEMLOCK in slurm.conf",
                "systemctl edit slurmd", Risk::disturbs),
      step("Docker", "docker run --ulimit memlock=-1 --cap-add=IPC_LOCK …"),
      root_step("Kubernetes: in a drop-in of containerd.service LimitMEMLOCK=infinity",
                "systemctl edit containerd", Risk::disturbs)};
}

void open_files(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& limit = machine.host.open_files_limit;
  if (!limit) return;
  // A rank of a large job keeps sockets and shared handles to many peers, and its data loaders
  // files.
  constexpr std::uint64_t wanted = 4096;
  constexpr std::uint64_t hardly_any = 512;
  if (limit->unlimited() || *limit->most >= wanted) {
    out.pass();
    return;
  }
  Finding& finding = out.fail("process", fmt::format("may open {} files", *limit->most));
  if (*limit->most < hardly_any) {
    finding.severity = Severity::warning;
    finding.weight = 50;
  }
  finding.evidence = {evidence(machine, "limit of open files", std::to_string(*limit->most),
                               "65536", limit.source())};
  finding.impact.text = "jobs over many machines and data loaders end with \"Too many open files\"";
  finding.remedy = {step("in the job's script", "ulimit -n 65536"),
                    root_step("for logins",
                              "printf '* soft nofile 65536\\n* hard nofile "
                              "1048576\\n' > /etc/security/limits.d/90-files.conf")};
}

void container_memory(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& limit = machine.host.cgroup_memory_limit_bytes;
  const auto gpus = gpus_of(machine);
  if (!limit) {
    out.unknown("host", "the memory limit of the control group", "cat /sys/fs/cgroup/memory.max");
    return;
  }
  constexpr std::uint64_t each = 8 * gib;  // pinned buffers, CUDA context, one data loader
  if (limit->unlimited() || *limit->most >= gpus * each) {
    out.pass();
    return;
  }
  Finding& finding =
      out.fail("container", fmt::format("may use {} of memory for {}", text_of_bytes(*limit->most),
                                        counted(gpus, "GPU")));
  if (*limit->most >= gpus * 4 * gib) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
  finding.evidence = {evidence(machine, "memory.max", text_of_bytes(*limit->most),
                               text_of_bytes(gpus * each), limit.source())};
  finding.impact.text =
      "the kernel kills a process of the job when it is used up; /dev/shm counts "
      "as well";
  finding.remedy = {step("Slurm", "srun --mem=0"), step("Docker", "docker run --memory=256g …"),
                    step("Kubernetes: raise the memory limit of the container")};
}

// The largest buffer that TCP's own tuning may give, from "4096 131072 6291456".
std::optional<std::uint64_t> tcp_most(const Machine& machine, std::string_view name) {
  const auto at = machine.host.sysctls.find(name);
  if (at == machine.host.sysctls.end() || !at->second) return std::nullopt;
  const auto words = split_blank(*at->second);
  const auto value = words.empty() ? std::nullopt : parse_int(words.back());
  return value && *value > 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

bool uses_sockets(const Machine& machine) {
  return std::any_of(machine.nccl_runs.begin(), machine.nccl_runs.end(),
                     [](const NcclRun& run) { return run.network && *run.network == "Socket"; });
}

void socket_buffers(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (has_rdma(machine) && !uses_sockets(machine)) return;
  constexpr std::uint64_t wanted = 4 * mib;  // 25 Gb/s at 1 ms; the kernel's default is 4 to 6 MiB
  for (const char* name : {"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"}) {
    const auto most = tcp_most(machine, name);
    if (!most) continue;
    if (*most >= wanted) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail("host", fmt::format("{} ends at {}", name, text_of_bytes(*most)));
    if (uses_sockets(machine)) {
      finding.severity = Severity::warning;
      finding.weight = 40;
    }
    finding.evidence = {evidence(machine, name, *machine.host.sysctls.find(name)->second,
                                 text_of_bytes(wanted) + " or more at the end",
                                 machine.host.sysctls.find(name)->second.source())};
    finding.impact.text =
        "one TCP connection has no more than a buffer in flight: NCCL over "
        "sockets stays below the line";
    finding.remedy = {
        root_step("raise it", fmt::format("sysctl -w {}='4096 131072 67108864'", name))};
  }
}

std::vector<Rule> memory_rules() {
  return {
      Rule{.id = "OSL001",
           .name = "shm-small",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::shm},
           .explains = {{"NCC019", Relation::anything}},
           .look = shared_memory,
           .page = {.what = "/dev/shm is small for the ranks of this machine, or full.",
                    .why = "Ranks without P2P exchange data there (about 10 MB for each peer), and "
                           "DataLoader workers pass batches through it. Containers get 64 MiB "
                           "unless told otherwise. What dead jobs leave behind stays until it is "
                           "removed.",
                    .by_hand = "df -h /dev/shm; ls -l /dev/shm\n"
                               "64M is the default of containers.",
                    .remedy = "--shm-size or --ipc=host; in Kubernetes an emptyDir in memory.",
                    .benign_if = "One rank without data loader workers. Between 64 MiB and what is "
                                 "advised it is a note.",
                    .references = {"NCCL User Guide, Troubleshooting, Shared Memory",
                                   "docker-run(1), --shm-size"}}},
      Rule{.id = "OSL002",
           .name = "memlock-small",
           .severity = Severity::warning,
           .weight = 65,
           .needs = {Need::limits},
           .explains = {{"NCC010", Relation::anything}},
           .look = locked_memory,
           .page = {.what = "The process may lock little memory, and there are RDMA adapters.",
                    .why = "RDMA registers, that is locks, every buffer. With the default of 64 "
                           "KiB to 8 MiB the first queue or registration fails. Daemons give their "
                           "own limit to what they start: what ulimit says in a login is not what "
                           "a Slurm or Kubernetes job has.",
                    .by_hand = "ulimit -l inside the job; grep 'locked memory' /proc/PID/limits",
                    .remedy = "unlimited, for logins, slurmd and containerd alike.",
                    .benign_if = "No RDMA adapters (a note), a limit of 16 GiB and a tenth of the "
                                 "memory or more, or the job has CAP_IPC_LOCK. The limit is that "
                                 "of the process that looked.",
                    .references = {"NCCL User Guide, Troubleshooting, InfiniBand",
                                   "getrlimit(2), RLIMIT_MEMLOCK"}}},
  };
}

std::vector<Rule> other_rules() {
  return {
      Rule{.id = "OSL003",
           .name = "open-files-small",
           .severity = Severity::note,
           .weight = 15,
           .needs = {Need::limits},
           .look = open_files,
           .page = {.what = "The process may open few files.",
                    .why = "Sockets, shared handles and data loaders' files count. At a thousand "
                           "a job over many machines can end with \"Too many open files\".",
                    .by_hand = "ulimit -n inside the job",
                    .remedy = "ulimit -n 65536 in the script, or limits.d.",
                    .benign_if = "1024 is the default everywhere, enough for small jobs, and a "
                                 "note; fewer than 512 is a warning.",
                    .references = {"getrlimit(2), RLIMIT_NOFILE"}}},
      Rule{.id = "OSL006",
           .name = "container-memory-small",
           .severity = Severity::warning,
           .weight = 50,
           .needs = {Need::gpus, Need::memory},
           .explains = {{"OSL009", Relation::anything}},
           .look = container_memory,
           .page =
               {.what = "The control group allows little memory for the GPUs in it.",
                .why = "CUDA's context, pinned buffers and data loaders take several GiB a "
                       "GPU, and /dev/shm counts too. At the limit the kernel kills a process "
                       "and the job hangs or ends.",
                .by_hand = "cat /sys/fs/cgroup/memory.max; dmesg | grep 'Memory cgroup out'",
                .remedy = "Raise the limit; srun --mem=0 gives the whole node.",
                .benign_if = "A small model: from 4 GiB a GPU on it is a note.",
                .references = {"Linux kernel, Documentation/admin-guide/cgroup-v2.rst, memory"}}},
      Rule{.id = "OSL007",
           .name = "socket-buffers-small",
           .severity = Severity::note,
           .weight = 15,
           .needs = {Need::memory},
           .look = socket_buffers,
           .page = {.what = "TCP may not buffer enough for a fast network, and NCCL has only "
                            "sockets.",
                    .why = "A connection has at most one buffer in flight: 4 MiB at 1 ms are 32 "
                           "Gb/s.",
                    .by_hand = "sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem",
                    .remedy = "sysctl -w net.ipv4.tcp_rmem='4096 131072 67108864'",
                    .benign_if = "RDMA is used. Without a log that shows sockets it is a note.",
                    .references = {"tcp(7), tcp_rmem"}}},
  };
}

}  // namespace

std::vector<Rule> host_limit_rules() { return together({memory_rules(), other_rules()}); }

}  // namespace railgauge::judge
