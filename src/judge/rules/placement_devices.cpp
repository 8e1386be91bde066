// Where GPUs and adapters say they are: affinities that contradict the NUMA node, nodes that are
// not told, adapters that all sit on one socket.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "judge/rules/gpu_nic_distances.h"
#include "judge/rules/placement_nodes.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

// What the driver says about one GPU, as far as it can be used.
struct Said {
  DeviceId gpu;
  CpuSet cpus;
  std::optional<int> node;  // of the kernel, else of the affinity column
};

std::optional<int> single_node(const Fact<std::string>& affinity) {
  if (!affinity) return std::nullopt;
  const auto nodes = CpuSet::parse(*affinity);
  if (!nodes || nodes->count() != 1) return std::nullopt;
  const auto number = parse_int(nodes->text());
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<int> node_of(const Device& device) {
  if (device.numa_node) return *device.numa_node;
  return device.gpu ? single_node(device.gpu->numa_affinity) : std::nullopt;
}

// Guests hide the nodes: every GPU then has all CPUs or several nodes, which says nothing.
bool says_nothing(const Device& device, const CpuSet& cpus, const Nodes& nodes) {
  const auto& affinity = device.gpu->numa_affinity;
  const auto several = affinity ? CpuSet::parse(*affinity) : std::nullopt;
  if (several && several->count() > 1 && !device.gpu->gpu_numa_id) return true;
  return nodes.with_cpus().size() > 1 && nodes.all_cpus().within(cpus);
}

std::vector<Said> gather(const Machine& machine, const Nodes& nodes, Verdicts& out) {
  std::vector<Said> said;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    if (!device.gpu->cpu_affinity) continue;
    const auto cpus = CpuSet::parse(*device.gpu->cpu_affinity);
    if (!cpus) continue;
    if (says_nothing(device, *cpus, nodes)) {
      out.unknown(subject_of(machine, id),
                  fmt::format("a usable affinity: {} is every CPU, the NUMA nodes are hidden",
                              cpus->text()),
                  "cat /sys/bus/pci/devices/*/numa_node");
      continue;
    }
    said.push_back({id, *cpus, node_of(device)});
  }
  return said;
}

// The node whose CPUs the GPU shows, when it is another than its own. Without a list of the
// nodes, GPUs of two nodes that show the same CPUs contradict each other: the node with the lower
// number is believed, since what goes wrong is that everything is put on node 0.
std::optional<int> foreign_node(const Nodes& nodes, const std::vector<Said>& said,
                                const Said& one) {
  for (const auto& [node, cpus] : nodes.with_cpus())
    if (node != *one.node && one.cpus.within(cpus)) return node;
  if (!nodes.with_cpus().empty()) return std::nullopt;
  for (const Said& other : said)
    if (other.node && *other.node < *one.node && other.cpus == one.cpus) return other.node;
  return std::nullopt;
}

// GPUs that a matrix sets a socket apart from the first GPU of their node, while on both sides
// others are nearer: two sockets, shown as one. Platforms that say SYS for every pair say nothing.
std::vector<DeviceId> across_one_node(const Machine& machine, const std::vector<Said>& said) {
  const auto apart = [&](DeviceId a, DeviceId b) {
    const Pair* pair = a == b ? nullptr : machine.find_pair(a, b);
    return pair == nullptr || !pair->smi ? std::optional<bool>()
                                         : std::optional(pair->smi->kind == SmiClass::sys);
  };
  const auto has_neighbour = [&](DeviceId a) {
    return std::any_of(said.begin(), said.end(),
                       [&](const Said& other) { return apart(a, other.gpu) == false; });
  };
  std::vector<DeviceId> out;
  for (const Said& one : said) {
    const auto first = std::find_if(said.begin(), said.end(), [&](const Said& other) {
      return other.node == one.node && other.cpus == one.cpus;
    });
    if (one.node && apart(first->gpu, one.gpu) == true && has_neighbour(one.gpu) &&
        has_neighbour(first->gpu))
      out.push_back(one.gpu);
  }
  return out;
}

void report_across(const Machine& machine, const std::vector<DeviceId>& gpus, Verdicts& out) {
  if (gpus.empty()) return;
  const auto& cpus = machine[gpus.front()].gpu->cpu_affinity;
  Finding& finding = out.fail(
      names_of(machine, gpus),
      fmt::format("are SYS away from GPUs that are shown with the same CPUs ({}): those are on "
                  "another socket",
                  *cpus));
  finding.devices = gpus;
  finding.evidence = {evidence(machine, "CPU affinity of " + machine[gpus.front()].id, *cpus,
                               "the CPUs of its own socket", cpus.source())};
  finding.impact.text =
      "half of the processes bound by it work from the other socket: memory "
      "latency doubles, copies to the GPU cross the sockets";
  finding.impact.lost_fraction = 0.5;
  finding.remedy = {root_step("see which node the kernel says",
                              "grep . "
                              "/sys/bus/pci/devices/*/numa_node"),
                    step("bind by that", "numactl --cpunodebind=NODE --membind=NODE PROGRAM")};
}

void affinity_wrong(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const Nodes nodes(machine);
  const auto said = gather(machine, nodes, out);
  report_across(machine, across_one_node(machine, said), out);
  for (const Said& one : said) {
    if (!one.node) continue;
    const auto foreign = foreign_node(nodes, said, one);
    if (!foreign) {
      out.pass();
      continue;
    }
    const CpuSet* own = nodes.cpus_of(*one.node);
    const Device& device = machine[one.gpu];
    Finding& finding =
        out.fail(machine, one.gpu,
                 fmt::format("is on NUMA node {} and is shown with the CPUs of node {} ({})",
                             *one.node, *foreign, one.cpus.text()));
    finding.evidence = {evidence(machine, "CPU affinity", one.cpus.text(),
                                 own != nullptr ? own->text() : std::string("another node's CPUs"),
                                 device.gpu->cpu_affinity.source())};
    if (own != nullptr)
      finding.evidence.push_back(evidence(machine, fmt::format("CPUs of node {}", *one.node),
                                          own->text(), {}, nodes.source_of(*one.node)));
    finding.impact.text =
        "a process bound by it works from the other socket: memory latency "
        "doubles, copies to the GPU cross the sockets";
    finding.impact.lost_fraction = 0.5;
    finding.remedy = {
        step("bind by the kernel's node instead",
             fmt::format("numactl --cpunodebind={0} --membind={0} PROGRAM", *one.node)),
        root_step("see what the kernel says",
                  device.address
                      ? fmt::format("cat /sys/bus/pci/devices/{}/numa_node", device.address->text())
                      : "cat /sys/bus/pci/devices/*/numa_node")};
  }
}

void node_unknown(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (Nodes(machine).with_cpus().size() < 2) return;  // one node: there is nothing to know
  std::vector<DeviceId> lost;
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (device.kind != DeviceKind::gpu && device.kind != DeviceKind::nic) continue;
    if (device.numa_node)
      out.pass();
    else if (!device.numa_node.refusals().empty())
      lost.push_back(id);
  }
  if (lost.empty()) return;
  const auto& refusal = machine[lost.front()].numa_node.refusals().front();
  Finding& finding = out.fail(names_of(machine, lost),
                              fmt::format("{}: the firmware does not say on which NUMA node",
                                          counted(lost.size(), "device")));
  finding.devices = lost;
  finding.evidence = {evidence(machine, "numa_node", refusal.why, "a node", refusal.source)};
  finding.impact.text =
      "NCCL, PyTorch and launchers cannot bind near the device, and place by luck";
  finding.remedy = {
      step("on bare metal: update the BIOS, turn on NUMA (ACPI SLIT, SRAT)"),
      step("in a guest: ask for a machine type that shows its NUMA nodes"),
      step("until then give NCCL the tree by hand", "export NCCL_TOPO_FILE=/path/topology.xml")};
  if (in_virtual_machine(patient)) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
}

// The socket, as far as it is known: the package above, else the node.
std::string socket_of(const Machine& machine, DeviceId id) {
  for (const DeviceId up : ancestry(machine, id))
    if (machine[up].kind == DeviceKind::package) return machine[up].id;
  const auto node = node_of(machine[id]);
  return node ? fmt::format("node {}", *node) : std::string();
}

void one_socket(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (in_virtual_machine(patient)) return;
  const auto nics = training_nics(machine);
  std::set<std::string> of_gpus;
  std::set<std::string> of_nics;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    if (const auto socket = socket_of(machine, id); !socket.empty()) of_gpus.insert(socket);
  for (const DeviceId id : nics)
    if (const auto socket = socket_of(machine, id); !socket.empty()) of_nics.insert(socket);
  if (of_gpus.size() < 2 || of_nics.empty()) return;
  if (of_nics.size() > 1 || nics.size() < 2) {
    out.pass();
    return;
  }
  Finding& finding = out.fail(names_of(machine, nics),
                              fmt::format("all {} adapters are on {}; GPUs are on {} sockets",
                                          nics.size(), *of_nics.begin(), of_gpus.size()));
  finding.devices = nics;
  finding.evidence = {evidence(machine, "sockets with adapters", *of_nics.begin(),
                               fmt::format("{} sockets", of_gpus.size()),
                               machine[nics.front()].numa_node.source())};
  finding.impact.text = "GPUs of the other socket send and receive across the link between CPUs";
  finding.remedy = {step("move half of the adapters to slots of the other socket")};
}

}  // namespace

std::vector<Rule> placement_device_rules() {
  return {
      Rule{.id = "NUM001",
           .name = "gpu-affinity-wrong",
           .severity = Severity::warning,
           .weight = 55,
           .needs = {Need::gpus},
           .look = affinity_wrong,
           .page = {.what = "The CPUs shown for a GPU are those of another NUMA node than its own.",
                    .why = "Launchers bind ranks by the CPU Affinity column. With the other "
                           "socket's CPUs every access of the process and of its DataLoader "
                           "workers is remote: latency about doubles (85 to 142 ns on one "
                           "machine), and copies to the GPU cross the sockets.",
                    .by_hand = "nvidia-smi topo -m; cat /sys/bus/pci/devices/ADDRESS/numa_node; "
                               "numactl -H\n"
                               "The CPUs of the GPU's row must be those of its NUMA node. The "
                               "column is what the platform reports, not where a process is bound.",
                    .remedy = "Bind by the kernel's node: numactl --cpunodebind=N --membind=N. "
                              "Binding CPUs alone (taskset) leaves memory where it was first "
                              "touched; numactl inside os.system() binds the shell it starts.",
                    .benign_if = "The GPU shows every CPU or several nodes, as in guests: that is "
                                 "no statement, and unknown. A part of its own node's CPUs is "
                                 "right.",
                    .references = {"nvidia-smi(1), topo", "numactl(8)",
                                   "Linux kernel, Documentation/ABI/testing/sysfs-bus-pci "
                                   "(numa_node)"}}},
      Rule{.id = "NUM009",
           .name = "numa-node-unknown",
           .severity = Severity::warning,
           .weight = 35,
           .needs = {Need::numa},
           .look = node_unknown,
           .page = {.what = "The kernel does not know the NUMA node of a GPU or an adapter (-1).",
                    .why = "Everything that places processes near devices then guesses: NCCL "
                           "takes the first node, irqbalance spreads at random. NCCL before "
                           "2.23.4 could crash on it.",
                    .by_hand = "grep . /sys/bus/pci/devices/*/numa_node | grep -- -1",
                    .remedy = "BIOS: NUMA on, latest version. In guests another machine type. "
                              "NCCL_TOPO_FILE states the tree where the platform does not.",
                    .benign_if = "The machine has one NUMA node. In a guest it is a note.",
                    .references = {"Linux kernel, Documentation/ABI/testing/sysfs-bus-pci "
                                   "(numa_node)",
                                   "NCCL 2.23.4 release notes"}}},
      Rule{.id = "NUM012",
           .name = "nic-on-another-socket",
           .severity = Severity::note,
           .weight = 25,
           .needs = {Need::gpus, Need::nics, Need::topology},
           .look = one_socket,
           .page = {.what = "All RDMA adapters are on one socket while GPUs are on several.",
                    .why = "Half of the GPUs then have every byte of network traffic cross the "
                           "link between the sockets.",
                    .by_hand = "nvidia-smi topo -m; lstopo\n"
                               "The NIC columns of half of the GPUs show SYS only.",
                    .remedy = "Put adapters into slots of both sockets.",
                    .benign_if = "It was bought so, and jobs over several machines use the near "
                                 "GPUs only. Always a note; a single adapter is none.",
                    .references = {"nvidia-smi(1), topo"}}},
  };
}

}  // namespace railgauge::judge
