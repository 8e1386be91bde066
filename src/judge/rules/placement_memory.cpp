// Where memory is: nodes without any, masks that forbid the near one, pages that the kernel moves.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/placement_nodes.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

void forbidden(const Machine& machine, const Nodes& nodes, Verdicts& out) {
  const auto& fact = machine.host.numa_nodes_allowed;
  const auto allowed = fact ? CpuSet::parse(*fact) : std::nullopt;
  const auto cpus =
      machine.host.cpus_allowed ? CpuSet::parse(*machine.host.cpus_allowed) : std::nullopt;
  if (!allowed || !cpus) return;
  std::string far;
  for (const auto& [node, own] : nodes.with_cpus())
    if (own.meets(*cpus) && !allowed->has(node))
      far += (far.empty() ? "" : ",") + std::to_string(node);
  if (far.empty()) {
    out.pass();
    return;
  }
  Finding& finding = out.fail(
      "process",
      fmt::format("runs on node {} and may take memory of node {} only", far, allowed->text()));
  finding.evidence = {evidence(machine, "Mems_allowed_list", allowed->text(), far, fact.source())};
  finding.impact.text = "its memory is on another socket: latency about doubles";
  finding.remedy = {step("bind CPUs and memory alike", fmt::format("numactl --cpunodebind={0} "
                                                                   "--membind={0} PROGRAM",
                                                                   far))};
}

void empty_node(const Machine& machine, const Nodes& nodes, Verdicts& out) {
  std::uint64_t most = 0;
  for (const DeviceId id : machine.of_kind(DeviceKind::numa_node))
    if (machine[id].cpu && machine[id].cpu->memory_bytes)
      most = std::max(most, *machine[id].cpu->memory_bytes);
  for (const DeviceId id : machine.of_kind(DeviceKind::numa_node)) {
    const Device& device = machine[id];
    if (!device.index || !device.cpu || !device.cpu->memory_bytes ||
        nodes.cpus_of(*device.index) == nullptr)
      continue;
    const auto& memory = device.cpu->memory_bytes;
    if (*memory * 4 >= most || most == 0) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        machine, id,
        *memory == 0 ? std::string("has CPUs and no memory: its DIMMs are missing or failed")
                     : fmt::format("has {} of memory, another node {}", text_of_bytes(*memory),
                                   text_of_bytes(most)));
    finding.evidence = {
        evidence(machine, "memory", text_of_bytes(*memory), text_of_bytes(most), memory.source())};
    finding.impact.text = "processes of this node work in the other node's memory";
    finding.remedy = {step("look for DIMMs that are missing or switched off",
                           "sudo dmidecode -t "
                           "memory")};
    if (*memory != 0) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
  }
}

void one_node(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const Nodes nodes(machine);
  if (nodes.with_cpus().size() < 2) return;
  forbidden(machine, nodes, out);
  empty_node(machine, nodes, out);
}

void balancing(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& on = machine.host.numa_balancing;
  if (!on || Nodes(machine).with_cpus().size() < 2) return;
  if (!*on) {
    out.pass();
    return;
  }
  Finding& finding = out.fail("host", "automatic NUMA balancing is on");
  finding.evidence = {evidence(machine, "kernel.numa_balancing", "1", "0", on.source())};
  finding.impact.text =
      "the kernel unmaps pages to see who uses them and moves them: steps of "
      "single ranks take longer now and then";
  finding.remedy = {
      root_step("turn it off where ranks are bound anyway", "sysctl -w kernel.numa_balancing=0"),
      root_step("and at every boot", "echo kernel.numa_balancing=0 > /etc/sysctl.d/90-numa.conf")};
}

}  // namespace

std::vector<Rule> placement_memory_rules() {
  return {
      Rule{.id = "NUM004",
           .name = "memory-on-one-node",
           .severity = Severity::warning,
           .weight = 50,
           .needs = {Need::numa},
           .look = one_node,
           .page = {.what = "A process may not take memory of the node it runs on, or a node has "
                            "CPUs and no memory.",
                    .why = "All its memory is remote then: 142 instead of 85 ns on one machine, "
                           "and half the bandwidth.",
                    .by_hand = "grep Mems_allowed_list /proc/self/status; numactl -H\n"
                               "Each node with CPUs should have a size above 0.",
                    .remedy = "Bind CPUs and memory to the same node; fill the DIMM slots of both "
                              "sockets alike.",
                    .benign_if = "The node has no CPUs: it is the memory of a GPU or a CXL device. "
                                 "Nodes that differ without being empty are a note.",
                    .references = {"numactl(8)", "cgroups(7), cpuset.mems"}}},
      Rule{.id = "NUM008",
           .name = "numa-balancing-on",
           .severity = Severity::note,
           .weight = 15,
           .needs = {Need::numa},
           .look = balancing,
           .page = {.what = "The kernel moves pages between NUMA nodes by itself.",
                    .why = "To learn who uses a page it takes the mapping away, and each next "
                           "access faults. Bound ranks gain nothing from it and pay with steps "
                           "that take longer now and then.",
                    .by_hand = "cat /proc/sys/kernel/numa_balancing",
                    .remedy = "sysctl -w kernel.numa_balancing=0",
                    .benign_if = "Always a note: it is every distribution's default, and helps "
                                 "programs that are not bound.",
                    .references = {"Linux kernel, Documentation/admin-guide/sysctl/kernel.rst, "
                                   "numa_balancing"}}},
  };
}

}  // namespace railgauge::judge
