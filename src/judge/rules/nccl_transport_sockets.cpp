// The network that NCCL took, and the adapters it listed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_transport.h"

namespace railgauge::judge {
namespace {

using namespace model;

// RDMA adapters that other sources than this log know, with the sum of their ports' rates.
struct Adapters {
  std::vector<std::string> names;
  std::vector<DeviceId> ids;
  std::optional<BytesPerSecond> rate;
};

Adapters rdma_adapters(const Machine& machine) {
  Adapters out;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const NicFacts& nic = *machine[id].nic;
    if (!nic.rdma_device) continue;
    out.names.push_back(*nic.rdma_device);
    out.ids.push_back(id);
    for (const NicPort& port : nic.ports)
      if (port.rate) out.rate = out.rate.value_or(BytesPerSecond{}) + *port.rate;
  }
  return out;
}

struct Reason {
  std::string words;
  std::vector<Evidence> evidence;
  std::vector<RemedyStep> remedy;
};

// Why sockets, when there are adapters or a sign of them; nothing when there is no sign.
std::optional<Reason> reason_of(const Machine& machine, const NcclRun& run,
                                const Adapters& adapters) {
  if (variable_is(machine, "NCCL_IB_DISABLE", {"1"}))
    return Reason{"NCCL_IB_DISABLE=1 switches RDMA off",
                  {evidence_of(machine, *variable(machine, "NCCL_IB_DISABLE"))},
                  {{.text = "take it away, in images and /etc/nccl.conf too",
                    .command = "unset NCCL_IB_DISABLE"}}};
  const Variable* net = variable(machine, "NCCL_NET");
  if (net != nullptr && equal_nocase(net->value, "Socket"))
    return Reason{"NCCL_NET=Socket asks for it",
                  {evidence_of(machine, *net)},
                  {{.text = "take it away", .command = "unset NCCL_NET"}}};
  if (const Lines lines = lines_with(run, {"ibv_open_device", "Unable to open device"});
      !lines.empty())
    return Reason{"an adapter could not be opened",
                  evidence_of(machine, lines),
                  {{.text = "pass the devices into the container",
                    .command = "docker run --device=/dev/infiniband --cap-add IPC_LOCK …"}}};
  if (const Lines lines = lines_with(run, {"Failed to open libibverbs"}); !lines.empty())
    return Reason{"libibverbs is not in the image",
                  evidence_of(machine, lines),
                  {{.text = "install it in the image",
                    .command = "apt-get install -y libibverbs1 ibverbs-providers",
                    .needs_root = true}}};
  const bool plugin_missing =
      std::any_of(run.plugins_missing.begin(), run.plugins_missing.end(),
                  [](const std::string& name) { return contains(name, "libnccl-net"); });
  const bool efa = std::any_of(
      adapters.names.begin(), adapters.names.end(),
      [](const std::string& name) { return name.starts_with("rdmap") || name.starts_with("efa"); });
  if (efa && plugin_missing)
    return Reason{
        "the plugin that drives EFA is not found (libnccl-net.so)",
        {},
        {{.text = "install aws-ofi-nccl, and put it on the library path",
          .command = "export LD_LIBRARY_PATH=/opt/amazon/ofi-nccl/lib:$LD_LIBRARY_PATH"}}};
  if (adapters.names.empty()) return std::nullopt;
  return Reason{"NCCL did not find or could not use them",
                evidence_of(machine, lines_with(run, {"No device found"})),
                {{.text = "see what a rank's environment has: devices, libraries, rights",
                  .command = "ls -l /dev/infiniband; ibv_devinfo; ldconfig -p | grep ibverbs"}}};
}

void sockets(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    if (!run.network) {
      if (run.connections.empty()) continue;
      out.unknown(log_of(run), "which network NCCL took", "NCCL_DEBUG=INFO");
      continue;
    }
    if (*run.network != "Socket") {
      out.pass();
      continue;
    }
    const Adapters adapters = rdma_adapters(machine);
    const auto reason = reason_of(machine, run, adapters);
    if (!reason) {  // NCCL looked and found none, and nobody else knows of one
      if (lines_with(run, {"No device found"}).empty())
        out.unknown(log_of(run), Need::nics);
      else
        out.pass();
      continue;
    }
    const bool one_host = on_one_host(run).value_or(false);
    Finding& finding =
        out.fail(log_of(run), fmt::format("NCCL uses sockets{}: {}",
                                          adapters.names.empty()
                                              ? std::string()
                                              : " although there is " + some_of(adapters.names),
                                          reason->words));
    if (one_host) {
      finding.severity = Severity::note;
      finding.text += "; all ranks are on one host, so little goes over it";
    }
    finding.devices = adapters.ids;
    finding.evidence = {evidence(machine, "network", *run.network, "IB", run.network.source())};
    finding.evidence.insert(finding.evidence.end(), reason->evidence.begin(),
                            reason->evidence.end());
    finding.impact.text = "traffic between nodes goes over TCP: a few GB/s, and CPU time";
    if (adapters.rate) finding.impact.could = adapters.rate;
    finding.remedy = reason->remedy;
  }
}

// Indices of adapters that connections name: "NET/IB/3", "NET/IB/3(2)/GDRDMA".
std::set<int> used_indices(const NcclRun& run) {
  std::set<int> out;
  for (const NcclConnection& way : run.connections) {
    const auto parts = split(way.via, '/');
    if (parts.size() < 3 || parts[0] != "NET" || is_socket(parts[1])) continue;
    const auto end = parts[2].find('(');
    if (const auto index = parse_int(parts[2].substr(0, end))) out.insert(static_cast<int>(*index));
  }
  return out;
}

void mixed(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    const std::set<int> used = used_indices(run);
    std::map<std::string, std::map<std::string, const NcclNic*>> by_host;
    bool any = false;
    for (const NcclNic& nic : run.nics) {
      if (nic.layer.empty() || (!used.empty() && !used.contains(nic.index))) continue;
      any = true;
      const std::string layer = nic.layer.substr(0, nic.layer.find('/'));
      by_host[nic.host].try_emplace(layer, &nic);
    }
    if (!any) continue;
    const auto odd = std::find_if(by_host.begin(), by_host.end(),
                                  [](const auto& one) { return one.second.size() > 1; });
    if (odd == by_host.end()) {
      out.pass();
      continue;
    }
    std::vector<std::string> shown;
    Finding& finding = out.fail(log_of(run), {});
    for (const auto& layer : odd->second) {
      shown.push_back(layer.second->name + " (" + layer.first + ")");
      finding.evidence.push_back(
          evidence(machine, "NCCL lists", shown.back(), {}, layer.second->source));
    }
    finding.text = fmt::format("NCCL {} InfiniBand and RoCE adapters together: {}",
                               used.empty() ? "lists" : "uses", some_of(shown));
    finding.impact.text =
        "rings over both stall, or go at the slower one's rate: a storage or management adapter "
        "carries gradients";
    finding.remedy = {{.text = "name the adapters of the training network, exactly",
                       .command = "export NCCL_IB_HCA==mlx5_0,mlx5_1"}};
  }
}

}  // namespace

void add_socket_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC001",
       .name = "socket-fallback",
       .severity = Severity::error,
       .weight = 80,
       .needs = {Need::nccl_log},
       .explains = {{"NCC201"}, {"NCC204"}, {"NCC207"}},
       .look = sockets,
       .page = {
           .what = "NCCL sends between nodes over TCP sockets although there are RDMA adapters, or "
                   "signs of them.",
           .why =
               "TCP reaches 1-5 GB/s where a 400 Gb/s adapter carries 50 GB/s. NCCL says so only "
               "at level INFO, and the job just runs slowly.",
           .by_hand = "grep -E 'Using network|NET/IB|NET/Plugin' in NCCL's log\n"
                      "ibv_devinfo and ls -l /dev/infiniband inside the container",
           .remedy = "Unset NCCL_IB_DISABLE and NCCL_NET; pass /dev/infiniband into the container; "
                     "install libibverbs and its providers, or the cloud's plugin.",
           .benign_if = "There is no RDMA adapter, or all ranks are on one host, where the network "
                        "carries nothing (a note then).",
           .references = {
               "NVIDIA NCCL User Guide: Environment Variables (NCCL_IB_DISABLE, NCCL_NET)",
               "NVIDIA NCCL User Guide: Troubleshooting, Networking Issues"}}});
  rules.push_back(
      {.id = "NCC015",
       .name = "adapters-mixed",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::nccl_log},
       .look = mixed,
       .page = {
           .what =
               "NCCL takes adapters of different link layers (InfiniBand and RoCE) on one node.",
           .why = "NCCL numbers them through and connects adapter n of one node with adapter n of "
                  "the next. If one of them is the storage network, rings go through it, or hang.",
           .by_hand = "grep 'NET/IB : Using' in NCCL's log: /IB and /RoCE in one list",
           .remedy = "NCCL_IB_HCA==mlx5_0,mlx5_1,… with the adapters of the training network.",
           .benign_if =
               "Connections use adapters of one kind only: NCCL takes the fastest near each "
               "GPU.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_IB_HCA)"}}});
}

}  // namespace railgauge::judge
