// Interrupts of network adapters and the CPUs that take them: on another NUMA node, all on one CPU,
// on the CPUs of ranks, moved about by irqbalance.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/placement_nodes.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Interrupts of one adapter. Taken: since the last but one reading where there are several, else
// since the start.
struct Taken {
  std::map<int, std::uint64_t> by_cpu;
  std::uint64_t all = 0;
  std::size_t lines = 0;  // interrupts that were ever taken
  bool now = false;       // counted between samples
  SourceRef source;
  std::string affinity;  // of the busiest line
  int busiest_line = 0;
};

void add(Taken& out, const Interrupt& interrupt) {
  std::uint64_t of_line = 0;
  for (const auto& [cpu, counter] : interrupt.cpus) {
    const auto growth = counter.growth();
    const std::uint64_t count = growth ? *growth : counter.value.value_or(0);
    if (growth) out.now = true;
    out.by_cpu[cpu] += count;
    out.all += count;
    of_line += count;
  }
  if (of_line > 0) ++out.lines;
  if (out.affinity.empty() || of_line == out.all) {
    out.affinity = interrupt.affinity.value_or("");
    out.busiest_line = interrupt.number;
    out.source = interrupt.affinity ? interrupt.affinity.source() : interrupt.device.source();
  }
}

std::map<DeviceId, Taken> taken_by_nic(const Machine& machine) {
  std::map<DeviceId, Taken> out;
  for (const Interrupt& interrupt : machine.interrupts) {
    if (!interrupt.device) continue;
    const auto id = machine.at(*interrupt.device);
    if (id && machine[*id].kind == DeviceKind::nic) add(out[*id], interrupt);
  }
  return out;
}

// So few that it does not matter where they go: RDMA polls, and its adapters hardly interrupt.
bool are_few(const Taken& taken) { return taken.all < (taken.now ? 1000u : 100'000u); }

std::vector<RemedyStep> pin(const Machine& machine, DeviceId nic, const std::string& node) {
  const Device& device = machine[nic];
  const std::string name = device.nic->netdev.value_or("INTERFACE");
  return {root_step("keep irqbalance from moving them back", "systemctl disable --now irqbalance"),
          root_step("spread them over the adapter's node (script of the driver package)",
                    fmt::format("set_irq_affinity_bynode.sh {} {}", node, name)),
          root_step("or by hand: lists go into smp_affinity_list, hexadecimal masks into "
                    "smp_affinity",
                    "echo CPULIST > /proc/irq/NUMBER/smp_affinity_list"),
          step("see where they go", fmt::format("grep {} /proc/interrupts",
                                                device.address ? device.address->text() : name))};
}

void far(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const Nodes nodes(machine);
  if (nodes.with_cpus().size() < 2) return;
  for (const auto& [id, taken] : taken_by_nic(machine)) {
    const auto& node = machine[id].numa_node;
    const CpuSet* near = node ? nodes.cpus_of(*node) : nullptr;
    if (near == nullptr) {
      out.unknown(subject_of(machine, id), "its NUMA node", "cat /sys/bus/pci/devices/*/numa_node");
      continue;
    }
    std::uint64_t away = 0;
    for (const auto& [cpu, count] : taken.by_cpu)
      if (!near->has(cpu)) away += count;
    const double share =
        taken.all == 0 ? 0 : static_cast<double>(away) / static_cast<double>(taken.all);
    if (share < 0.5) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        machine, id,
        fmt::format("{} of its {} interrupts go to CPUs of another NUMA node than its own ({})",
                    percent(share), taken.all, *node));
    if (are_few(taken)) {
      finding.severity = Severity::note;
      finding.weight = 10;
    }
    finding.evidence = {evidence(machine, fmt::format("CPUs of interrupt {}", taken.busiest_line),
                                 taken.affinity.empty() ? "unknown" : taken.affinity, near->text(),
                                 taken.source)};
    finding.impact.text =
        "each interrupt is handled with the adapter's data a socket away: more "
        "latency for TCP and for blocking RDMA";
    finding.remedy = pin(machine, id, std::to_string(*node));
  }
}

void on_one(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const auto& [id, taken] : taken_by_nic(machine)) {
    if (taken.lines < 4) continue;  // few vectors, or few in use
    const auto busiest =
        std::max_element(taken.by_cpu.begin(), taken.by_cpu.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const double share =
        taken.all == 0 ? 0 : static_cast<double>(busiest->second) / static_cast<double>(taken.all);
    if (share < 0.9 || are_few(taken)) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(machine, id,
                                fmt::format("CPU {} takes {} of the interrupts of {} vectors",
                                            busiest->first, percent(share), taken.lines));
    finding.evidence = {evidence(machine, fmt::format("CPUs of interrupt {}", taken.busiest_line),
                                 taken.affinity.empty() ? "unknown" : taken.affinity,
                                 "spread over the node", taken.source)};
    finding.impact.text =
        "one CPU is the limit of the adapter's receiving: at 100 Gb/s TCP needs "
        "several";
    finding.remedy = pin(machine, id, std::to_string(machine[id].numa_node.value_or(0)));
  }
}

void balanced(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto at = machine.host.services.find("irqbalance");
  if (at == machine.host.services.end() || !at->second || *at->second != "running") {
    out.pass();
    return;
  }
  Finding& finding = out.fail("host", "irqbalance runs and moves interrupts between CPUs");
  finding.evidence = {evidence(machine, "irqbalance", *at->second,
                               "stopped, or banned from the adapters", at->second.source())};
  finding.impact.text = "interrupts that were pinned wander; a rank whose CPU takes them is late";
  finding.remedy = {root_step("stop it where interrupts are pinned by hand",
                              "systemctl disable --now irqbalance")};
}

// The CPUs of a mask as NCCL logs it: "ffff,ffffffff", most significant first.
std::optional<CpuSet> mask(std::string_view text) {
  CpuSet out;
  const auto groups = split(trim(text), ',');
  if (groups.empty() || groups.size() > 64) return std::nullopt;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto bits = parse_hex(groups[groups.size() - 1 - i]);
    if (!bits || *bits > 0xffffffffu) return std::nullopt;
    for (int bit = 0; bit < 32; ++bit)
      if ((*bits >> bit & 1) != 0)
        out.add(static_cast<int>(i) * 32 + bit, static_cast<int>(i) * 32 + bit);
  }
  return out;
}

void on_ranks(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr int narrow = 4;  // a rank with more CPUs steps aside
  CpuSet busy;
  for (const NcclRun& run : machine.nccl_runs)
    for (const NcclRank& rank : run.ranks)
      if (const auto cpus = mask(rank.affinity); cpus && !cpus->empty() && cpus->count() <= narrow)
        busy.add(*cpus);
  if (busy.empty()) return;
  for (const auto& [id, taken] : taken_by_nic(machine)) {
    std::uint64_t there = 0;
    for (const auto& [cpu, count] : taken.by_cpu)
      if (busy.has(cpu)) there += count;
    if (taken.all == 0 || are_few(taken) || there * 10 < taken.all) {
      out.pass();
      continue;
    }
    Finding& finding =
        out.fail(machine, id,
                 fmt::format("{} of its interrupts are taken by CPUs that ranks are bound to ({})",
                             percent(static_cast<double>(there) / static_cast<double>(taken.all)),
                             busy.text()));
    finding.evidence = {evidence(machine, fmt::format("CPUs of interrupt {}", taken.busiest_line),
                                 taken.affinity.empty() ? "unknown" : taken.affinity,
                                 "CPUs without ranks", taken.source)};
    finding.impact.text =
        "a rank waits while its CPU serves the adapter: 3 us become 18 us on one "
        "machine, and all other ranks wait for it";
    finding.remedy = pin(machine, id, std::to_string(machine[id].numa_node.value_or(0)));
  }
}

std::vector<Rule> far_rules() {
  return {
      Rule{.id = "NUM005",
           .name = "nic-interrupts-far",
           .severity = Severity::warning,
           .weight = 40,
           .needs = {Need::interrupts, Need::numa},
           .explains = {{"NUM007", Relation::anything}},
           .look = far,
           .page = {.what = "Most interrupts of an adapter go to CPUs of another NUMA node.",
                    .why = "The handler reads what the adapter wrote into memory of its own node, "
                           "across the link between sockets: more latency and less TCP bandwidth.",
                    .by_hand = "grep mlx5 /proc/interrupts; cat /proc/irq/*/smp_affinity_list; cat "
                               "/sys/bus/pci/devices/ADDRESS/numa_node",
                    .remedy = "set_irq_affinity_bynode.sh NODE INTERFACE, with irqbalance stopped. "
                              "smp_affinity_list takes lists (0-15), smp_affinity hexadecimal "
                              "masks: a mask written into the list file is an error or names one "
                              "CPU.",
                    .benign_if = "The adapter does RDMA and polls: few interrupts are a note.",
                    .references = {"Linux kernel, Documentation/core-api/irq/irq-affinity.rst"}}},
      Rule{.id = "NUM006",
           .name = "nic-interrupts-on-one-cpu",
           .severity = Severity::warning,
           .weight = 45,
           .needs = {Need::interrupts},
           .explains = {{"NUM007", Relation::anything}},
           .look = on_one,
           .page = {.what = "One CPU takes nearly all interrupts of an adapter that has many "
                            "vectors.",
                    .why = "One CPU can receive 20-40 Gb/s of TCP; with all vectors on it the rest "
                           "of the line is unused.",
                    .by_hand = "grep mlx5_comp /proc/interrupts\n"
                               "All columns but one are 0.",
                    .remedy = "Spread the vectors over the adapter's node.",
                    .benign_if = "There is one vector, or there are few interrupts at all.",
                    .references = {"Linux kernel, Documentation/networking/scaling.rst"}}},
  };
}

std::vector<Rule> rank_rules() {
  return {
      Rule{.id = "NUM007",
           .name = "irqbalance-running",
           .severity = Severity::note,
           .weight = 10,
           .needs = {Need::services},
           .look = balanced,
           .page = {.what = "irqbalance runs and moves interrupts between CPUs.",
                    .why = "It moves them by load every ten seconds and undoes what was "
                           "pinned by hand; interrupts land on the CPUs of ranks.",
                    .by_hand = "systemctl is-active irqbalance",
                    .remedy = "systemctl disable --now irqbalance where interrupts are pinned, or "
                              "ban those interrupts (IRQBALANCE_ARGS).",
                    .benign_if = "Always a note: nobody pinned anything, and RDMA polls.",
                    .references = {"irqbalance(1)"}}},
      Rule{.id = "NUM013",
           .name = "nic-interrupts-on-rank-cpus",
           .severity = Severity::warning,
           .weight = 45,
           .needs = {Need::interrupts, Need::nccl_log},
           .explains = {{"NUM007", Relation::anything}},
           .look = on_ranks,
           .page = {.what = "CPUs that ranks are bound to also take an adapter's interrupts.",
                    .why = "The rank's thread stops while its CPU serves the adapter, and every "
                           "collective waits for the slowest rank: small ones went from 3 to 18 "
                           "us on one machine.",
                    .by_hand = "In the log of NCCL: Setting affinity for GPU 0 to …; grep mlx5 "
                               "/proc/interrupts",
                    .remedy = "Move the interrupts to CPUs of the same node that no rank is bound "
                              "to.",
                    .benign_if = "Ranks have more than four CPUs each: the scheduler steps aside.",
                    .references = {"Linux kernel, Documentation/core-api/irq/irq-affinity.rst"}}},
  };
}

}  // namespace

Family interrupts_rules() {
  static const std::vector<Rule> list = together({far_rules(), rank_rules()});
  return list;
}

}  // namespace railgauge::judge
