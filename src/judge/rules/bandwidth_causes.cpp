// What a shortfall looks like: one adapter, no GPUDirect, PCIe instead of NVLink, a thin network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/rules/bandwidth_runs.h"

namespace railgauge::judge::bandwidth {
namespace {

using namespace model;

constexpr std::string_view guide = "NVIDIA NCCL user guide: Environment Variables";
constexpr std::string_view troubleshooting = "NVIDIA NCCL user guide: Troubleshooting";

Finding& cause(const Patient& patient, const JudgedRun& run, Verdicts& out, std::string text) {
  Finding& finding = out.fail(run.subject, std::move(text));
  finding.evidence = table(patient, run);
  finding.impact.now = *run.best->row->busbw;
  finding.impact.could = run.best->found.busbw;
  finding.impact.lost_fraction = std::clamp(1 - of_expected(run), 0.0, 1.0);
  return finding;
}

std::string rate(double gbps) { return text(gigabytes_per_second(gbps)); }

// busbw of a ring is what each node's adapters carry together.
bool as_fast_as_one_adapter(const JudgedRun& run) {
  if (run.found.nodes < 2 || run.found.nics < 2) return false;
  const double of_one = measured_gbps(run) / run.found.nic_gbps;
  return of_one > 0.55 && of_one < 1.15;
}

void one_adapter(const Patient& patient, Verdicts& out) {
  for (const JudgedRun& run : judged_runs(patient).judged) {
    if (run.best == nullptr || run.found.nodes < 2 || run.found.nics < 2) continue;
    if (!too_slow(run) || !as_fast_as_one_adapter(run)) {
      out.pass();
      continue;
    }
    Finding& finding =
        cause(patient, run, out,
              fmt::format("{} busbw is the rate of one adapter ({}); each node has {}",
                          text(*run.best->row->busbw), rate(run.found.nic_gbps), run.found.nics));
    finding.impact.text = "the other adapters of every node stay idle";
    finding.remedy = {
        {.text = "see which adapters NCCL uses, and let it use all of them",
         .command = "env | grep NCCL_IB_HCA; NCCL_DEBUG=INFO all_reduce_perf -b 1G -e 1G 2>&1 | "
                    "grep -E 'NET/(IB|OFI)'"}};
  }
}

void no_gpudirect(const Patient& patient, Verdicts& out) {
  const auto seen = gpudirect_seen(patient);
  for (const JudgedRun& run : judged_runs(patient).judged) {
    if (run.best == nullptr || run.found.nodes < 2) continue;
    const bool half_or_less = of_expected(run) < 0.65 && of_expected(run) > 0.1;
    if (!too_slow(run) || !half_or_less || seen.value_or(false) || as_fast_as_one_adapter(run)) {
      out.pass();
      continue;
    }
    Finding& finding =
        cause(patient, run, out,
              fmt::format("{:.0f} % of the expected rate between nodes{}", 100 * of_expected(run),
                          seen ? ": NCCL's log shows no GPUDirect RDMA"
                               : ", as when data goes through host memory (or over a thin "
                                 "network)"));
    finding.impact.text = "every byte crosses PCIe and host memory twice";
    finding.remedy = {
        {.text = "see whether connections say GDRDMA, and load the peer memory module",
         .command =
             "NCCL_DEBUG=INFO all_reduce_perf -b 1G -e 1G 2>&1 | grep -E 'GDRDMA|GPU Direct'"},
        {.text = "load the module that lets adapters read GPU memory",
         .command = "modprobe nvidia-peermem",
         .needs_root = true}};
  }
}

void pcie_path(const Patient& patient, Verdicts& out) {
  for (const JudgedRun& run : judged_runs(patient).judged) {
    if (run.best == nullptr || run.found.nodes > 1 || !run.expects_nvlink || run.pcie_gbps <= 0)
      continue;
    if (!too_slow(run) || measured_gbps(run) > 1.15 * run.pcie_gbps) {
      out.pass();
      continue;
    }
    Finding& finding =
        cause(patient, run, out,
              fmt::format("{} busbw is no more than PCIe gives ({}): NVLink is not used",
                          text(*run.best->row->busbw), rate(run.pcie_gbps)));
    finding.impact.text = "GPUs exchange data over PCIe or through host memory";
    finding.remedy = {
        {.text = "see whether NVLinks are up and whether peer access is allowed",
         .command = "nvidia-smi nvlink -s; nvidia-smi topo -p2p n; env | grep -E "
                    "'NCCL_(P2P|SHM)'"},
        {.text = "on machines with NVSwitches, start the fabric manager of the driver's version",
         .command = "systemctl status nvidia-fabricmanager",
         .needs_root = true}};
  }
}

// 1/2, 1/3, 1/4 … of what the adapters could: uplinks shared by that many.
int nearest_part(double fraction) {
  for (const int parts : {2, 3, 4, 6, 8})
    if (std::abs(fraction * parts - 1) < 0.1) return parts;
  return 0;
}

void oversubscribed(const Patient& patient, Verdicts& out) {
  for (const JudgedRun& run : judged_runs(patient).judged) {
    if (run.best == nullptr || run.found.nodes < 2) continue;
    if (!too_slow(run)) {
      out.pass();
      continue;
    }
    const auto gpudirect = gpudirect_seen(patient);
    if (!gpudirect) {  // then the shortfall is as likely the machine's own
      out.unknown(run.subject, "whether GPUDirect RDMA is in use",
                  "the log of the run with NCCL_DEBUG=INFO");
      continue;
    }
    const int parts = nearest_part(of_expected(run));
    if (!*gpudirect || parts == 0 || as_fast_as_one_adapter(run)) {
      out.pass();
      continue;
    }
    Finding& finding = cause(patient, run, out,
                             fmt::format("1/{} of the adapters' rate between {} nodes, with "
                                         "GPUDirect in use: the network gives no more",
                                         parts, run.found.nodes));
    finding.impact.text = "jobs that span these switches share their uplinks";
    finding.remedy = {
        {.text = "measure pairs of nodes below one switch and across switches, and compare",
         .command = "ib_write_bw -d mlx5_0 -q 4 --report_gbits PEER"},
        {.text = "place the job on nodes below the same switches, rail by rail"}};
  }
}

Rule one_adapter_rule() {
  return {.id = "NCC202",
          .name = "one-adapter-used",
          .severity = Severity::warning,
          .weight = 70,
          .needs = {Need::benchmark},
          .explains = {{"NCC201"}},
          .look = one_adapter,
          .page = {
              .what = "Between nodes a collective runs at the rate of one network adapter although "
                      "there are several.",
              .why = "NCCL spreads its channels over all adapters it finds. With one of eight, a "
                     "node sends at an eighth: 50 of 400 GB/s.",
              .by_hand = "NCCL_DEBUG=INFO …_perf 2>&1 | grep 'NET/IB : Using'\nThe line must list "
                         "every adapter of the compute network.",
              .remedy = "Unset NCCL_IB_HCA or list all adapters. Pass all of them into the "
                        "container. Look whether the other ports are up.",
              .benign_if = "The job was meant to use one adapter, or only one of the node's "
                           "adapters is cabled to the other nodes.",
              .references = {guide}}};
}

Rule gpudirect_rule() {
  return {.id = "NCC204",
          .name = "likely-no-gpudirect",
          .severity = Severity::warning,
          .weight = 65,
          .needs = {Need::benchmark},
          .explains = {{"NCC201"}},
          .look = no_gpudirect,
          .page = {
              .what = "Between nodes a collective runs at half of the expected rate or less, as it "
                      "does when GPUDirect RDMA is off.",
              .why = "Without GPUDirect data is copied to host memory, sent from there, and copied "
                     "again: each PCIe link carries it twice and the CPU's memory four times.",
              .by_hand = "NCCL_DEBUG=INFO …_perf 2>&1 | grep ' via NET/'\nLines must end in "
                         "/GDRDMA.",
              .remedy = "Load nvidia-peermem, or use a kernel and driver with DMA-BUF. Keep GPU "
                        "and adapter below one PCIe switch; turn off ACS redirection.",
              .benign_if = "NCCL's log shows GDRDMA (then this is not said), or the network is "
                           "thinner than the adapters.",
              .references = {troubleshooting, guide}}};
}

Rule pcie_rule() {
  return {.id = "NCC205",
          .name = "likely-pcie-path",
          .severity = Severity::warning,
          .weight = 75,
          .needs = {Need::benchmark},
          .explains = {{"NCC201"}, {"NCC210"}},
          .look = pcie_path,
          .page = {
              .what = "GPUs that have NVLink exchange data no faster than PCIe carries it.",
              .why = "NVLink gives an H100 450 GB/s one way and PCIe Gen5 x16 63: when peer access "
                     "is off or the links are down, NCCL falls back to PCIe or host memory "
                     "without an error.",
              .by_hand = "nvidia-smi nvlink -s\nnvidia-smi topo -p2p n\nAll links must show their "
                         "rate and all pairs OK.",
              .remedy = "Unset NCCL_P2P_DISABLE and NCCL_P2P_LEVEL. Start the fabric manager, then "
                        "reset the GPUs. Replace what stays down.",
              .benign_if = "The GPUs of the job are not joined by NVLink: bridged pairs, or a "
                           "container that sees a part of the machine.",
              .references = {troubleshooting, guide}}};
}

Rule oversubscribed_rule() {
  return {
      .id = "NCC211",
      .name = "oversubscribed",
      .severity = Severity::warning,
      .weight = 62,
      .needs = {Need::benchmark},
      .explains = {{"NCC201"}},
      .look = oversubscribed,
      .page = {.what = "Between nodes a collective reaches a whole part (a half, a third, a "
                       "quarter) of what the adapters carry, with GPUDirect in use.",
               .why = "Where switches have fewer uplinks than downlinks, flows that cross them "
                      "share: 2:1 halves every collective that spans leaf switches.",
               .by_hand =
                   "Run ib_write_bw between nodes below one switch, then across switches, all "
                   "pairs at once.",
               .remedy = "Place jobs below the same leaf switches, or rail by rail; see whether "
                         "links between switches are down.",
               .benign_if = "The network was bought that way and the job has to span it.",
               .references = {"NVIDIA DGX SuperPOD reference architecture: network"}}};
}

}  // namespace

std::vector<Rule> cause_rules() {
  return {one_adapter_rule(), gpudirect_rule(), pcie_rule(), oversubscribed_rule()};
}

}  // namespace railgauge::judge::bandwidth
