// The CPUs that ranks may use.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/rules/nccl_masks.h"
#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_setup.h"

namespace railgauge::judge {
namespace {

using namespace model;

// A rank needs a core for its main thread, NCCL's proxy, and a few more for its data: fewer than
// this are too few whatever the node.
constexpr std::size_t cpus_few = 2;
// A launcher that gives each of eight ranks its own few CPUs: no NUMA node is that small where
// eight GPUs are.
constexpr std::size_t bound_ranks = 8;
constexpr std::size_t bound_cpus = 16;

struct Masked {
  const NcclRank* rank = nullptr;
  CpuMask cpus;
};

std::string name_of(const NcclRank& rank) {
  if (rank.rank) return fmt::format("rank {}", *rank.rank);
  return fmt::format("GPU {}", rank.device.value_or(0));
}

// The CPUs near the GPU, as the driver or the kernel names them.
std::optional<CpuMask> near_cpus(const Machine& machine, const NcclRank& rank) {
  const auto gpu = gpu_of(machine, rank);
  if (!gpu || machine[*gpu].kind != DeviceKind::gpu) return std::nullopt;
  const Device& device = machine[*gpu];
  if (device.gpu->cpu_affinity)
    if (const auto cpus = cpus_of_list(*device.gpu->cpu_affinity)) return cpus;
  if (!device.numa_node) return std::nullopt;
  const auto node = machine.indexed(DeviceKind::numa_node, *device.numa_node);
  if (!node || !machine[*node].cpu || !machine[*node].cpu->cpus) return std::nullopt;
  return cpus_of_list(*machine[*node].cpu->cpus);
}

struct Narrow {
  std::string words;
  Severity severity = Severity::warning;
};

// Against what is known of this GPU alone: its node, or its mask in another start.
std::optional<Narrow> narrow(const Machine& machine, const Masked& one) {
  const std::size_t count = one.cpus.count();
  if (const auto near = near_cpus(machine, *one.rank)) {
    if ((one.cpus & *near).none())
      return Narrow{
          fmt::format("{} runs on {} CPUs, none of them near its GPU", name_of(*one.rank), count)};
    const std::size_t possible = near->count();
    if (count * 4 <= possible || (count <= cpus_few && count < possible))
      return Narrow{fmt::format("{} may use {} of the {} CPUs near its GPU", name_of(*one.rank),
                                count, possible)};
    if (count * 2 <= possible)
      return Narrow{fmt::format("{} may use {} of the {} CPUs near its GPU", name_of(*one.rank),
                                count, possible),
                    Severity::note};
    return std::nullopt;
  }
  for (const std::string& text : one.rank->other_affinities) {
    const auto other = cpus_of_mask(text);
    if (!other) continue;
    const std::size_t less = std::min(count, other->count());
    const std::size_t more = std::max(count, other->count());
    if (less * 2 <= more)
      return Narrow{
          fmt::format("{} may use {} CPUs in one start and {} in another: a launcher "
                      "binds each task to few cores",
                      name_of(*one.rank), less, more)};
  }
  if (count <= cpus_few)
    return Narrow{
        fmt::format("{} may use {} only", name_of(*one.rank), count == 1 ? "one CPU" : "two CPUs")};
  return std::nullopt;
}

// Against the other ranks of the host.
std::optional<Narrow> among(const std::vector<Masked>& all) {
  const auto [least, most] = std::minmax_element(
      all.begin(), all.end(),
      [](const Masked& a, const Masked& b) { return a.cpus.count() < b.cpus.count(); });
  if (least->cpus.count() * 2 <= most->cpus.count())
    return Narrow{fmt::format("{} may use {} CPUs, {} of the same host {}", name_of(*least->rank),
                              least->cpus.count(), name_of(*most->rank), most->cpus.count())};
  if (all.size() < bound_ranks || most->cpus.count() > bound_cpus) return std::nullopt;
  CpuMask seen;
  for (const Masked& one : all) {
    if ((seen & one.cpus).any()) return std::nullopt;
    seen |= one.cpus;
  }
  return Narrow{
      fmt::format("each of {} ranks has its own {} CPUs: a launcher binds tasks to few "
                  "cores",
                  all.size(), most->cpus.count())};
}

void fail_mask(const Patient& patient, Verdicts& out, const NcclRun& run, const std::string& host,
               const Narrow& narrow, const NcclRank& example) {
  const Machine& machine = patient.machine;
  Finding& finding = out.fail(host.empty() ? log_of(run) : host, narrow.words);
  finding.severity = narrow.severity;
  finding.evidence = {evidence(machine,
                               fmt::format("affinity of GPU {}", example.device.value_or(0)),
                               example.affinity, "all CPUs of its NUMA node", example.source)};
  for (const std::string& other : example.other_affinities)
    finding.evidence.push_back(evidence(machine, "another mask of it", other, {}, example.source));
  finding.impact.text =
      "NCCL's proxy, data loaders and the main thread share few cores: latency and launch gaps";
  finding.remedy = {{.text = "Slurm: give a task the cores of its GPU's NUMA node, or do not bind",
                     .command = "srun --cpu-bind=none …, or --cpus-per-task=12 --cpu-bind=cores"},
                    {.text = "Open MPI", .command = "mpirun --bind-to none …, or --map-by numa"},
                    {.text = "let NCCL ignore the mask it inherits",
                     .command = "export NCCL_IGNORE_CPU_AFFINITY=1"}};
}

void masks(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    std::map<std::string, std::vector<Masked>> hosts;
    for (const NcclRank& rank : run.ranks)
      if (const auto cpus = cpus_of_mask(rank.affinity)) hosts[rank.host].push_back({&rank, *cpus});
    for (const auto& [host, all] : hosts) {
      std::optional<Narrow> found;
      const NcclRank* example = all.front().rank;
      for (const Masked& one : all) {
        auto here = narrow(patient.machine, one);
        if (!here || (found && found->severity >= here->severity)) continue;
        found = std::move(here);
        example = one.rank;
      }
      if (!found) found = among(all);
      if (found)
        fail_mask(patient, out, run, host, *found, *example);
      else
        out.pass();
    }
  }
}

}  // namespace

void add_mask_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC016",
       .name = "rank-mask-narrow",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::nccl_log},
       .explains = {},
       .look = masks,
       .page = {
           .what = "A rank may use only a few of the CPUs near its GPU, or CPUs elsewhere.",
           .why = "NCCL binds its threads to the CPUs of the GPU's NUMA node that the process may "
                  "use. With a launcher that gives each task eight cores or one, the proxy thread, "
                  "the data loaders and the main thread take turns, and small messages slow down.",
           .by_hand = "grep 'Setting affinity' in NCCL's log: the mask has one bit per CPU\n"
                      "taskset -pc PID; numactl -H",
           .remedy = "srun --cpu-bind=none or --cpus-per-task, mpirun --bind-to none, or "
                     "NCCL_IGNORE_CPU_AFFINITY=1.",
           .benign_if = "The cpuset is small by design, as in a pod that asked for so many CPUs; "
                        "half a node per rank is a note.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables "
                          "(NCCL_IGNORE_CPU_AFFINITY)",
                          "srun manual: --cpu-bind"}}});
}

}  // namespace railgauge::judge
