// Interfaces that lead nowhere, and a topology that was guessed.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_setup.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Interfaces that containers and their networks make on every node by themselves.
constexpr std::array<std::string_view, 17> virtual_names{
    "docker", "veth",  "cali",   "tunl",  "br-",   "flannel", "cni",    "virbr", "vxlan",
    "lxc",    "lxdbr", "cilium", "weave", "kube-", "dummy",   "podman", "tap"};

bool is_virtual(std::string_view name) {
  return name == "lo" || std::any_of(virtual_names.begin(), virtual_names.end(),
                                     [&](std::string_view one) { return name.starts_with(one); });
}

void interfaces(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    std::vector<std::string> odd;
    std::string good;
    SourceRef source;
    bool any = false;
    for (const NcclNic& nic : run.nics) {
      if (nic.network != "Socket") continue;
      any = true;
      if (!is_virtual(nic.name)) {
        if (good.empty()) good = nic.name;
        continue;
      }
      if (std::find(odd.begin(), odd.end(), nic.name) != odd.end()) continue;
      if (odd.empty()) source = nic.source;
      odd.push_back(nic.name);
    }
    const bool first = run.oob && is_virtual(*run.oob);
    if (odd.empty() && !first) {
      if (any || run.oob) out.pass();
      continue;
    }
    Finding& finding = out.fail(
        log_of(run),
        first ? fmt::format("NCCL makes its first connections over {}, which no other node reaches",
                            *run.oob)
              : fmt::format("NCCL takes virtual interfaces for its network: {}", some_of(odd)));
    if (first)
      finding.evidence.push_back(
          evidence(machine, "Bootstrap", *run.oob, "the node's own interface", run.oob.source()));
    if (!odd.empty())
      finding.evidence.push_back(
          evidence(machine, "NET/Socket", some_of(odd, 8), "the node's own interface", source));
    // With RDMA the sockets only carry the start; the list does not matter then.
    const bool carried = uses_sockets(run) || !run.network;
    if ((!first && !carried) || on_one_host(run).value_or(false)) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
    finding.impact.text = "connections between nodes fail or hang, or take a slow bridge";
    finding.remedy = {
        {.text = "name the interface that leads to the other nodes, exactly",
         .command = "export NCCL_SOCKET_IFNAME==" + (good.empty() ? std::string("eth0") : good)},
        {.text = "see which way leads there", .command = "ip route get PEER"}};
  }
}

void guessed(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    const Lines lines = lines_with(run, {"could not read /sys"});
    if (lines.empty()) {
      if (!run.ranks.empty() || !run.paths.empty()) out.pass();
      continue;
    }
    if (variable(machine, "NCCL_TOPO_FILE") != nullptr) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: NCCL cannot read the speed of PCIe links and guesses the topology: a "
                    "guest, or a container without /sys",
                    speakers(run, lines)));
    finding.impact.text =
        "distances and rates are guesses: wrong adapters, GPUDirect RDMA off by distance";
    finding.remedy = {
        {.text = "use the topology file or the plugin of the provider for this type of guest",
         .command = "export NCCL_TOPO_FILE=/var/run/nvidia-topologyd/virtualTopology.xml"},
        {.text = "in a container: mount /sys as it is", .command = "docker run -v /sys:/sys:ro …"}};
  }
}

}  // namespace

void add_interface_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC031",
       .name = "virtual-interface",
       .severity = Severity::warning,
       .weight = 65,
       .needs = {Need::nccl_log},
       .explains = {{"NCC032"}, {"NCC020"}},
       .look = interfaces,
       .page = {
           .what = "NCCL chose interfaces of container networks: bridges, veth pairs, tunnels.",
           .why =
               "They exist on every node with the same addresses and lead nowhere outside it. The "
               "job hangs at its start, or sends through a tunnel at a fraction of the rate.",
           .by_hand = "grep -E 'Bootstrap|NET/Socket : Using' in NCCL's log: docker0, veth, cali, "
                      "tunl, br-",
           .remedy = "NCCL_SOCKET_IFNAME==eth0 with the interface that leads to the other nodes.",
           .benign_if = "All ranks are on one host, or RDMA carries the data and the first "
                        "connections use a real interface (a note then).",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_SOCKET_IFNAME)",
                          "NVIDIA NCCL User Guide: Troubleshooting, IP Network Interfaces"}}});
  rules.push_back(
      {.id = "NCC022",
       .name = "topology-guessed",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::nccl_log},
       .explains = {{"NCC003"}, {"NCC028"}},
       .look = guessed,
       .page = {
           .what =
               "NCCL could not read from sysfs how devices are connected, and assumed something.",
           .why = "Guests hide link speeds. NCCL then takes Gen3 x16 and distances as the virtual "
                  "buses show them, and may pair GPUs with far adapters.",
           .by_hand = "grep 'could not read' in NCCL's log; cat /sys/bus/pci/devices/ADDRESS/"
                      "max_link_speed",
           .remedy = "NCCL_TOPO_FILE of the provider (Azure and AWS ship them), or the provider's "
                     "plugin.",
           .benign_if = "NCCL_TOPO_FILE is set, or the device is a virtual function whose link is "
                        "its parent's.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_TOPO_FILE)",
                          "Linux kernel documentation: ABI sysfs-bus-pci (max_link_speed)"}}});
}

}  // namespace railgauge::judge
