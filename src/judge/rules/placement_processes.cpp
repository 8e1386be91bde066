// Where processes may run, against where their GPUs are. What is known is the mask of the process
// that looked: inside a job it is the job's.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "judge/rules/placement_nodes.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

std::optional<CpuSet> mask(const Machine& machine) {
  return machine.host.cpus_allowed ? CpuSet::parse(*machine.host.cpus_allowed) : std::nullopt;
}

// Nodes of the GPUs that the process sees.
std::set<int> gpu_nodes(const Machine& machine) {
  std::set<int> out;
  for (const DeviceId id : visible_gpus(machine))
    if (machine[id].numa_node) out.insert(*machine[id].numa_node);
  return out;
}

void far(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const Nodes nodes(machine);
  const auto allowed = mask(machine);
  const auto wanted = gpu_nodes(machine);
  if (!allowed || nodes.with_cpus().size() < 2) return;
  if (wanted.empty()) {
    out.unknown("process", "the NUMA nodes of its GPUs", "cat /sys/bus/pci/devices/*/numa_node");
    return;
  }
  CpuSet near;
  bool complete = true;
  for (const int node : wanted) {
    const CpuSet* cpus = nodes.cpus_of(node);
    if (cpus == nullptr)
      complete = false;
    else
      near.add(*cpus);
  }
  if (!complete) return;
  if (allowed->meets(near)) {
    out.pass();
    return;
  }
  std::string list;
  for (const int node : wanted) list += (list.empty() ? "" : ",") + std::to_string(node);
  Finding& finding = out.fail(
      "process", fmt::format("may use CPUs {} only, none of them on node {} where its GPUs are",
                             allowed->text(), list));
  finding.devices = visible_gpus(machine);
  finding.evidence = {evidence(machine, "Cpus_allowed_list", allowed->text(), near.text(),
                               machine.host.cpus_allowed.source())};
  finding.impact.text =
      "every copy to its GPUs and every kernel launch crosses the sockets: "
      "bandwidth of host copies about halves";
  finding.impact.lost_fraction = 0.5;
  finding.remedy = {step("bind to the GPUs' node",
                         fmt::format("numactl --cpunodebind={0} --membind={0} PROGRAM", list)),
                    step("with Slurm let it bind by itself",
                         "srun --gpus-per-task=1 "
                         "--gpu-bind=closest")};
}

// Threads per core, by what the kernel says of SMT.
int threads_per_core(const Machine& machine) {
  return machine.host.smt.value_or("") == "on" ? 2 : 1;
}

void narrow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const Nodes nodes(machine);
  const auto allowed = mask(machine);
  const auto gpus = visible_gpus(machine).size();
  if (!allowed || nodes.all_cpus().empty()) return;
  const int cpus = allowed->count();
  // A rank has a main thread, a proxy and a service thread, and whatever loads its data.
  if (cpus >= static_cast<int>(gpus) * 4 * threads_per_core(machine) ||
      cpus >= nodes.all_cpus().count()) {
    out.pass();
    return;
  }
  Finding& finding = out.fail(
      "process", fmt::format("may use {} of {} CPUs ({}) for {}", cpus, nodes.all_cpus().count(),
                             allowed->text(), counted(gpus, "GPU")));
  if (cpus >= static_cast<int>(gpus)) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
  finding.evidence = {evidence(machine, "Cpus_allowed_list", allowed->text(),
                               fmt::format("{} or more", gpus * 4),
                               machine.host.cpus_allowed.source())};
  finding.impact.text =
      "NCCL's proxy threads, the main thread and the data loaders take turns on "
      "the same cores: latency of every step grows";
  finding.remedy = {
      step("give each task more CPUs: Slurm", "srun --cpus-per-task=16"),
      step("Kubernetes: raise the CPU request; Docker: raise --cpuset-cpus"),
      step("if the mask came from a launcher's default binding (mpirun binds to one core)",
           "mpirun --bind-to none")};
}

void too_few(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = machine.of_kind(DeviceKind::gpu).size();
  int cores = 0;
  SourceRef source;
  for (const DeviceId id : machine.of_kind(DeviceKind::package)) {
    const auto& cpu = machine[id].cpu;
    if (!cpu || !cpu->core_count) return;
    cores += *cpu->core_count;
    source = cpu->core_count.source();
  }
  if (cores == 0) return;
  const double each = static_cast<double>(cores) / static_cast<double>(gpus);
  constexpr double enough = 4;
  if (each >= enough) {
    out.pass();
    return;
  }
  Finding& finding =
      out.fail("host", fmt::format("{} for {}: {:.1f} each",
                                   counted(static_cast<std::uint64_t>(cores), "core"),
                                   counted(gpus, "GPU"), each));
  finding.evidence = {evidence(machine, "cores", std::to_string(cores),
                               fmt::format("{:.0f}", enough * static_cast<double>(gpus)), source)};
  finding.impact.text = "data loaders and proxies starve each other: GPUs wait for input";
  finding.remedy = {
      step("fewer DataLoader workers than cores, preprocessing on the GPU, or a "
           "machine with more cores a GPU")};
}

}  // namespace

std::vector<Rule> placement_process_rules() {
  return {
      Rule{.id = "NUM002",
           .name = "process-far-from-gpu",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::gpus, Need::affinity, Need::numa},
           .look = far,
           .page = {.what = "The process may run only on CPUs of other NUMA nodes than its GPUs'.",
                    .why = "Pinned buffers, data loaders and NCCL's proxy then work across the "
                           "link between sockets: about half the bandwidth to the GPU and twice "
                           "the memory latency.",
                    .by_hand = "grep Cpus_allowed_list /proc/PID/status; nvidia-smi topo -m; "
                               "numactl -H",
                    .remedy = "numactl --cpunodebind=N --membind=N, or the launcher's GPU binding.",
                    .benign_if = "The mask reaches a part of the GPUs' node, or the process that "
                                 "looked is not the job: look from inside the job.",
                    .references = {"numactl(8)", "Slurm, srun --gpu-bind"}}},
      Rule{.id = "NUM003",
           .name = "process-mask-narrow",
           .severity = Severity::warning,
           .weight = 50,
           .needs = {Need::gpus, Need::affinity, Need::numa},
           .explains = {{"NCC016", Relation::anything}},
           .look = narrow,
           .page = {.what = "The process may use few CPUs for the GPUs it has.",
                    .why = "Each rank has a main thread, NCCL's proxy and service threads and its "
                           "data loaders. On one core they take turns, and a proxy that is not "
                           "running stops the network.",
                    .by_hand = "grep Cpus_allowed_list /proc/self/status; nproc",
                    .remedy = "srun --cpus-per-task, mpirun --bind-to none, a larger CPU request "
                              "of the pod. NCCL_IGNORE_CPU_AFFINITY=1 lets NCCL leave the mask it "
                              "was given.",
                    .benign_if = "It is a cpuset by design with at least one CPU a GPU: then it is "
                                 "a note.",
                    .references = {"NCCL User Guide, Environment Variables, "
                                   "NCCL_IGNORE_CPU_AFFINITY",
                                   "cgroups(7), cpuset"}}},
      Rule{.id = "NUM011",
           .name = "too-few-cores-per-gpu",
           .severity = Severity::note,
           .weight = 20,
           .needs = {Need::gpus, Need::numa},
           .look = too_few,
           .page = {.what = "The machine has fewer than four cores for each GPU.",
                    .why = "A rank keeps two to three cores busy without any data loading.",
                    .by_hand = "lscpu | grep -E 'Core|Socket'; nvidia-smi -L | wc -l",
                    .remedy = "Load data with few workers or on the GPU.",
                    .benign_if = "Always a note: inference and synthetic benchmarks do with less.",
                    .references = {"PyTorch documentation, torch.utils.data, num_workers"}}},
  };
}

}  // namespace railgauge::judge
