// How many channels NCCL made, and what its own topology looks like.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_transport.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Six NVLinks and more per GPU (V100 SXM and later) give twelve channels or more in every version;
// fewer than this need a reason.
constexpr int nvlinks_many = 6;
constexpr int channels_few = 4;
// GB/s: PCIe Gen1 x4. NCCL gives a bridge whose link it cannot read less than that.
constexpr double virtual_bridge_gb_per_s = 1.0;

// NVLinks of a GPU, the most of any.
int nvlinks(const Machine& machine) {
  int most = 0;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    int active = 0;
    for (const NvLinkPort& port : machine[id].gpu->nvlinks)
      if (port.active && *port.active) ++active;
    most = std::max(most, active);
  }
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::nvlink && link.width) most = std::max(most, *link.width);
  return most;
}

void few_channels(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    if (!run.channels) continue;
    const int links = nvlinks(machine);
    if (links == 0) {
      out.unknown(log_of(run), Need::nvlink_state);
      continue;
    }
    if (links < nvlinks_many || *run.channels >= channels_few) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        log_of(run), fmt::format("{} channels over {} NVLinks: NCCL leaves most of them idle",
                                 *run.channels, links));
    finding.evidence = {evidence(machine, "collective channels", std::to_string(*run.channels),
                                 "12 or more", run.channels.source())};
    for (const char* name : {"NCCL_MAX_NCHANNELS", "NCCL_MAX_NRINGS", "NCCL_MAX_CTAS"})
      if (const Variable* limit = variable(machine, name))
        finding.evidence.push_back(evidence_of(machine, *limit));
    finding.impact.text = "a channel moves some 20 GB/s: bandwidth is bounded by their number";
    finding.remedy = {{.text = "take limits away",
                       .command = "unset NCCL_MAX_NCHANNELS NCCL_MAX_NRINGS NCCL_MAX_CTAS"},
                      {.text = "see which topology NCCL found",
                       .command = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH"}};
  }
}

void virtual_bridges(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    if (!run.narrowest_pci) continue;
    if (*run.narrowest_pci >= virtual_bridge_gb_per_s) {
      out.pass();
      continue;
    }
    const bool direct =
        (run.gdr_used && *run.gdr_used) ||
        std::any_of(run.connections.begin(), run.connections.end(),
                    [](const NcclConnection& way) { return contains(way.via, "GDRDMA"); });
    if (direct) {
      out.pass();
      continue;
    }
    const bool off = std::any_of(run.gdr.begin(), run.gdr.end(), [](const NcclGdr& gdr) {
      return !gdr.enabled && !is_socket(gdr.network);
    });
    Finding& finding = out.fail(
        log_of(run),
        fmt::format(
            "NCCL's topology has a PCIe link of {} GB/s: a guest's virtual bridge, whose "
            "speed cannot be read{}",
            *run.narrowest_pci,
            off ? "; GPUDirect RDMA is off with it" : "; harmless if GPUDirect RDMA is on"));
    finding.severity = off ? Severity::warning : Severity::note;
    if (!off) finding.weight = 15;
    finding.evidence = {evidence(machine, "PCI link in NCCL's topology",
                                 fmt::format("{} GB/s", *run.narrowest_pci), {},
                                 run.narrowest_pci.source())};
    finding.impact.text = "NCCL may order adapters wrongly and take far ones";
    finding.remedy = {
        {.text = "use the topology file of the provider for this type of guest",
         .command = "export NCCL_TOPO_FILE=/opt/microsoft/ncv4/topo.xml"},
        {.text = "see whether GPUDirect RDMA is on", .command = "grep -E 'GDR 1|GDRDMA' NCCL.log"}};
  }
}

}  // namespace

void add_channel_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC024",
       .name = "few-channels",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::nccl_log},
       .explains = {{"NCC201"}},
       .look = few_channels,
       .page = {
           .what = "NCCL made fewer than four channels although the GPUs have six NVLinks or more.",
           .why = "Each channel is one block on the GPU and moves some 20 GB/s. An eight-GPU H100 "
                  "board has 16-24 of them; with two, all-reduce cannot pass 40 GB/s.",
           .by_hand = "grep 'coll channels' in NCCL's log; env | grep -E 'NCCL_M(AX|IN)_N'",
           .remedy =
               "Unset NCCL_MAX_NCHANNELS and its kin; look at NCCL's topology if they are not "
               "set.",
           .benign_if =
               "GPUs with few NVLinks or none, or a limit that was set on purpose to leave "
               "SMs to the computation.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_MAX_NCHANNELS, "
                          "NCCL_MAX_CTAS)"}}});
  rules.push_back(
      {.id = "NCC028",
       .name = "virtual-bridges",
       .severity = Severity::note,
       .weight = 30,
       .needs = {Need::nccl_log},
       .explains = {},
       .look = virtual_bridges,
       .page = {
           .what =
               "NCCL's topology has PCIe bridges of a fraction of a GB/s: the virtual ones of a "
               "guest.",
           .why = "Their speed cannot be read, so NCCL takes 0.2 GB/s or the like. Distances and "
                  "the order of adapters are then guesses.",
           .by_hand = "grep 'PCI\\[0' in NCCL's log (NCCL_DEBUG_SUBSYS=GRAPH)",
           .remedy = "NCCL_TOPO_FILE of the provider; then look that channels end in /GDRDMA.",
           .benign_if = "GPUDirect RDMA is on nevertheless, which most guests manage.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_TOPO_FILE)"}}});
}

}  // namespace railgauge::judge
