// perftest and iperf3: does an adapter reach its line rate?
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/bandwidth_runs.h"

namespace railgauge::judge::bandwidth {
namespace {

using namespace model;

// Below this size a message's own overhead shows.
constexpr std::uint64_t smallest_message = 32 << 10;
// What is left of the line rate beside headers, gaps and pauses: 380 of 400 Gb/s is healthy.
constexpr double of_payload_rate = 0.95;
constexpr double of_line_rate_tcp = 0.8;

// The part of the wire that carries data. RoCE v2: Ethernet with preamble and gap 38 bytes, IP 20,
// UDP 8, BTH 12, RETH 16, ICRC 4. InfiniBand: LRH 8, BTH 12, RETH 16, ICRC 4, VCRC 2.
double payload_share(const BenchmarkRun& run) {
  const double mtu = run.mtu_bytes.value_or(4096);
  const bool ethernet = equal_nocase(run.link_layer, "Ethernet");
  return mtu / (mtu + (ethernet ? 98 : 42));
}

struct LineRate {
  double gigabits = 0;
  std::string source;
};

std::optional<LineRate> of_adapters(const Patient& patient) {
  const auto given = nccl_cost::parse_adapters(patient.nics);
  if (!given) return std::nullopt;
  return LineRate{given->gbps * 8, "--nic " + patient.nics};
}

// Of the adapter the benchmark names; of all, when they are alike and it names none.
std::optional<LineRate> line_rate(const Patient& patient, const BenchmarkRun& run) {
  const Machine& machine = patient.machine;
  std::optional<LineRate> common;
  bool alike = true;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const Device& nic = machine[id];
    for (const NicPort& port : nic.nic->ports) {
      if (!port.rate) continue;
      const LineRate rate{port.rate->value * 8 / 1e9, machine.sources.text(port.rate.source())};
      if (!run.nic.empty() && nic.nic->rdma_device.value_or("") == run.nic) return rate;
      alike &= !common || common->gigabits == rate.gigabits;
      common = rate;
    }
  }
  if (const auto given = of_adapters(patient)) return given;
  if (run.nic.empty() && alike) return common;
  return std::nullopt;
}

const BenchmarkRow* fastest(const BenchmarkRun& run) {
  const BenchmarkRow* out = nullptr;
  for (const BenchmarkRow& row : run.rows) {
    const bool small = run.tool == BenchmarkTool::perftest && row.size_bytes < smallest_message;
    if (!row.busbw || small) continue;
    if (out == nullptr || *row.busbw > *out->busbw) out = &row;
  }
  return out;
}

std::vector<RemedyStep> hints(const BenchmarkRun& run, double line_gigabits) {
  std::vector<RemedyStep> out;
  const bool tcp = run.tool == BenchmarkTool::iperf3;
  if (tcp && run.connections.value_or(1) < 4)
    out.push_back({.text = "one stream is bounded by one core: use several",
                   .command = "iperf3 -c PEER -P 8 -t 10"});
  if (!tcp && run.connections.value_or(2) == 1 && line_gigabits >= 200)
    out.push_back({.text = "one queue pair may not fill the link: use several",
                   .command = fmt::format("ib_write_bw -d {} -q 4 --report_gbits PEER",
                                          run.nic.empty() ? "mlx5_0" : run.nic)});
  if (!tcp && run.mtu_bytes.value_or(4096) < 4096)
    out.push_back({.text = "raise the MTU on both ends and on the switches: 4200 or 9000 bytes on "
                           "Ethernet give RDMA its 4096",
                   .command = "ip link set dev NETDEV mtu 9000",
                   .needs_root = true,
                   .risk = Risk::disturbs,
                   .risk_text = "the link may go down for a moment"});
  if (tcp && run.retransmits.value_or(0) > 1000)
    out.push_back({.text = "many retransmissions: look at discards and pauses of both ports",
                   .command = "ethtool -S NETDEV | grep -E 'discard|pause|drop'"});
  out.push_back({.text = "look at the adapter's PCIe link, its counters and its distance from the "
                         "CPU that ran the test",
                 .command = "railgauge check"});
  return out;
}

void judge_rate(const Patient& patient, const BenchmarkRun& run, Verdicts& out) {
  const BenchmarkRow* row = fastest(run);
  if (row == nullptr) return;  // latencies, or small messages
  const auto line = line_rate(patient, run);
  const std::string subject =
      run.nic.empty() ? bandwidth::subject_of(patient, run) : run.nic + " (" + run.name + ")";
  if (!line) {
    out.unknown(subject, "the line rate of the adapter", "railgauge check … --nic 1x400G, ibstat");
    return;
  }
  const bool tcp = run.tool == BenchmarkTool::iperf3;
  const double ways = run.name.ends_with("_bidirectional") ? 2 : 1;
  const double measured = row->busbw->value * 8 / 1e9;
  const double could = line->gigabits * ways * (tcp ? 1 : payload_share(run));
  const double healthy = could * (tcp ? of_line_rate_tcp : of_payload_rate);
  if (measured >= healthy) {
    out.pass();
    return;
  }
  const bool one_stream = tcp && run.connections.value_or(1) < 4;
  Finding& finding =
      out.fail(subject, fmt::format("{:.4g} of {:.4g} Gb/s ({:.0f} %){}", measured,
                                    line->gigabits * ways, 100 * measured / (line->gigabits * ways),
                                    one_stream ? ", over few streams" : ""));
  if (one_stream) {  // says more of the core than of the link
    finding.severity = Severity::note;
    finding.weight = 20;
  }
  finding.evidence = {evidence(
      patient.machine, tcp ? "Bitrate" : "BW average", fmt::format("{:.4g} Gb/s", measured),
      fmt::format("at least {:.4g} Gb/s of {}", healthy, line->source), row->source)};
  if (run.mtu_bytes)
    finding.evidence.push_back({"Mtu", fmt::format("{}", *run.mtu_bytes), "4096", ""});
  if (run.connections)
    finding.evidence.push_back(
        {tcp ? "streams" : "Number of qps", fmt::format("{}", *run.connections), "", ""});
  finding.impact.text = "whatever leaves the node by this adapter";
  finding.impact.now = *row->busbw;
  finding.impact.could = gigabits_per_second(could);
  finding.impact.lost_fraction = std::clamp(1 - measured / could, 0.0, 1.0);
  finding.remedy = hints(run, line->gigabits);
}

void below_line_rate(const Patient& patient, Verdicts& out) {
  for (const BenchmarkRun& run : patient.machine.benchmarks)
    if (run.tool == BenchmarkTool::perftest || run.tool == BenchmarkTool::iperf3)
      judge_rate(patient, run, out);
}

}  // namespace

std::vector<Rule> adapter_rules() {
  Rule rule;
  rule.id = "NCC207";
  rule.name = "adapter-below-line-rate";
  rule.severity = Severity::warning;
  rule.weight = 60;
  rule.needs = {Need::benchmark};
  rule.explains = {{"NCC201"}};
  rule.look = below_line_rate;
  rule.page = {
      .what = "perftest or iperf3 measured less than the adapter's line rate.",
      .why =
          "A healthy RDMA adapter reaches its line rate but for headers: 380 to 395 of 400 "
          "Gb/s, 190 to 197 of 200. What is missing here is missing in every collective "
          "between nodes.",
      .by_hand =
          "ib_write_bw -d mlx5_0 -q 4 --report_gbits on one node, the same with its name on "
          "another\nCompare BW average with the rate that ibstat prints. perftest's MB/sec "
          "are units of 2^20 bytes.",
      .remedy =
          "Use several queue pairs, an RDMA MTU of 4096, and a CPU and memory near the "
          "adapter. Then look at its PCIe link, at the port's counters, at pauses and "
          "congestion marks.",
      .benign_if =
          "Other traffic shared the link, messages were small, or TCP ran over one or "
          "two streams, which one core bounds (a note). TCP is judged from 80 % on.",
      .references = {"linux-rdma/perftest: README, Test Options",
                     "InfiniBand Architecture Specification 1.4, 5.2 (packet headers)"}};
  return {rule};
}

}  // namespace railgauge::judge::bandwidth
