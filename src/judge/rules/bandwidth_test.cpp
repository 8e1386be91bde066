#include <gtest/gtest.h>

#include <algorithm>

#include "judge/findings.h"
#include "model/testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

Catalogue catalogue() {
  Catalogue out = round_catalogue();
  GpuBoard a100 = out.boards[0];
  a100.name = "A100 SXM4";
  a100.name_contains = "A100-SXM4";
  a100.compute_capability = 80;
  a100.nvlink_version = 3;
  a100.nvlink_count = 12;
  a100.pcie_generation = 4;
  out.boards.insert(out.boards.begin(), a100);
  return out;
}

struct Case {
  TestMachine t;
  Catalogue boards = catalogue();
  Advice advice;
  int nodes = 1;
  std::string nics;

  SourceRef source(std::uint32_t line) {
    return t.machine.sources.add("bench.txt", Trust::tool).at_line(line);
  }
  BenchmarkRun& run(BenchmarkTool tool, const char* name) {
    BenchmarkRun& out = t.machine.benchmarks.emplace_back();
    out.tool = tool;
    out.name = name;
    out.source = source(1);
    return out;
  }
  BenchmarkRun& nccl(const char* name, int ranks, const char* device = "NVIDIA H100 80GB HBM3") {
    BenchmarkRun& out = run(BenchmarkTool::nccl_tests, name);
    out.ranks = ranks;
    out.nodes = nodes;
    out.gpus_per_node = ranks / nodes;
    out.devices = {device};
    return out;
  }
  void row(std::uint64_t bytes, double busbw_gbps, std::uint64_t wrong = 0) {
    BenchmarkRow& out = t.machine.benchmarks.back().rows.emplace_back();
    out.size_bytes = bytes;
    out.busbw = gigabytes_per_second(busbw_gbps);
    out.algbw = gigabytes_per_second(busbw_gbps / 1.75);
    out.wrong_count = wrong;
    out.source = source(10);
  }
  void rate(std::uint64_t bytes, double gigabits) {
    BenchmarkRow& out = t.machine.benchmarks.back().rows.emplace_back();
    out.size_bytes = bytes;
    out.busbw = gigabits_per_second(gigabits);
    out.source = source(12);
  }
  void copy(const char* from, const char* to, double gbps) {
    BenchmarkRow& out = t.machine.benchmarks.back().rows.emplace_back();
    out.from = from;
    out.to = to;
    out.busbw = gigabytes_per_second(gbps);
    out.source = source(14);
  }
  CheckReport report() {
    const Patient patient{
        .machine = t.machine, .catalogue = boards, .advice = advice, .nodes = nodes, .nics = nics};
    Selection only;
    for (int id = 201; id <= 212; ++id)
      if (id != 203) only.only.push_back("NCC" + std::to_string(id));
    return findings(patient, only);
  }
};

std::string ids(const CheckReport& report) {
  std::string out;
  for (const Finding& finding : report.findings) out += finding.id + " ";
  return out;
}
bool unknown(const CheckReport& report, const char* id) {
  return std::any_of(report.not_checked.begin(), report.not_checked.end(),
                     [&](const NotChecked& n) { return n.id == id; });
}

constexpr std::uint64_t gib = 1u << 30;

// What is published of healthy machines: with NVLS, by rings, A100, between nodes.
TEST(BandwidthBelowExpected, HealthyMachinesAreNotFlagged) {
  struct Row {
    const char* name;
    int ranks;
    const char* device;
    double busbw;
  };
  for (const Row& row : {Row{"all_reduce", 8, "NVIDIA H100 80GB HBM3", 478},
                         Row{"all_reduce", 4, "NVIDIA H100 80GB HBM3", 350},
                         Row{"all_reduce", 2, "NVIDIA H100 80GB HBM3", 318},
                         Row{"all_gather", 8, "NVIDIA H100 80GB HBM3", 350},
                         Row{"alltoall", 8, "NVIDIA H100 80GB HBM3", 300},
                         Row{"all_reduce", 8, "NVIDIA A100-SXM4-80GB", 232},
                         Row{"reduce_scatter", 8, "NVIDIA A100-SXM4-80GB", 225}}) {
    Case c;
    c.nccl(row.name, row.ranks, row.device);
    c.row(1024, 0.1);
    c.row(8 * gib, row.busbw);
    EXPECT_EQ(ids(c.report()), "") << row.name << " " << row.ranks << " " << row.device;
  }
}

TEST(BandwidthBelowExpected, HalfOfTheRateWithItsTable) {
  Case c;
  c.nccl("all_gather", 8, "NVIDIA A100-SXM4-80GB");
  c.row(gib, 118);
  c.row(2 * gib, 120);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC201 ");
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.subject, "all_gather of 8 GPUs (bench.txt)");
  EXPECT_NE(finding.text.find("120 GB/s busbw at 2 GiB"), std::string::npos) << finding.text;
  ASSERT_EQ(finding.evidence.size(), 3u);
  EXPECT_EQ(finding.evidence[0].what, "1 GiB");
  EXPECT_EQ(finding.evidence[0].observed, "118 GB/s");
  EXPECT_NE(finding.evidence[0].expected.find("Ring/Simple"), std::string::npos);
  EXPECT_EQ(finding.evidence[0].source, "bench.txt:10");
  EXPECT_NEAR(*finding.impact.lost_fraction, 0.45, 0.05);
}

TEST(BandwidthBelowExpected, LinksThatAreDownLowerWhatIsFoundNotWhatIsSold) {
  Case c;
  const auto nvswitch = c.t.endpoint(DeviceKind::nvswitch, c.t.root_port(c.t.host_bridge({})));
  for (int i = 0; i < 8; ++i) {
    c.t.nvlink(c.t.gpu(c.t.root_port(c.t.host_bridge({}))), nvswitch, 18);
    if (i == 0) {
      c.t.machine.links.back().width = {};
      c.t.machine.links.back().width.claim(6, c.t.sysfs());
    }
  }
  c.t.settle();
  c.nccl("all_gather", 8);
  c.row(4 * gib, 118);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC201 ");
  EXPECT_NE(report.findings[0].text.find("as it was found"), std::string::npos);
  EXPECT_NE(report.findings[0].evidence[0].expected.find("as sold"), std::string::npos);
}

TEST(BandwidthBelowExpected, UnknownGpusAreNotJudged) {
  Case c;
  c.nccl("all_reduce", 8, "Some Accelerator");
  c.row(gib, 10);
  const CheckReport report = c.report();
  EXPECT_EQ(ids(report), "");
  EXPECT_TRUE(unknown(report, "NCC201"));
}

TEST(BandwidthBelowExpected, NodesWithoutAdaptersAreUnknown) {
  Case c;
  c.nodes = 2;
  c.nccl("all_reduce", 16);
  c.row(gib, 40);
  EXPECT_TRUE(unknown(c.report(), "NCC201"));
}

TEST(Nodes, HealthyRatesBetweenNodesAreNotFlagged) {
  for (const double busbw : {470.0, 365.0, 340.0}) {
    Case c;
    c.nodes = 2;
    c.nics = "8x400G";
    c.nccl("all_reduce", 16);
    c.row(8 * gib, busbw);
    const std::string found = ids(c.report());
    EXPECT_TRUE(found.empty() || found == "NCC210 ") << busbw << ": " << found;
  }
}

TEST(OneAdapterUsed, RateOfOneOfEight) {
  Case c;
  c.nodes = 2;
  c.nics = "8x400G";
  c.nccl("all_reduce", 16);
  c.row(8 * gib, 46);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC202 ");
  ASSERT_EQ(report.findings[0].consequences.size(), 1u);
  EXPECT_EQ(report.findings[0].consequences[0].id, "NCC201");
  EXPECT_EQ(report.findings[0].severity, Severity::error);
}

void connect(Case& c, const char* via) {
  NcclConnection connection;
  connection.via = via;
  c.t.machine.nccl_runs.emplace_back().connections.push_back(connection);
}

TEST(LikelyNoGpudirect, HalfBetweenNodesUnlessTheLogShowsGpudirect) {
  Case c;
  c.nodes = 2;
  c.nics = "8x400G";
  c.nccl("all_reduce", 16);
  c.row(8 * gib, 150);
  EXPECT_EQ(ids(c.report()), "NCC204 ");
  EXPECT_TRUE(unknown(c.report(), "NCC211"));
  connect(c, "NET/IB/0");
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC204 ");
  EXPECT_NE(report.findings[0].text.find("log shows no"), std::string::npos);
  connect(c, "NET/IB/0/GDRDMA");
  EXPECT_EQ(ids(c.report()).find("NCC204"), std::string::npos);
}

TEST(Oversubscribed, AHalfWithGpudirectInUse) {
  Case c;
  c.nodes = 4;
  c.nics = "8x400G";
  c.nccl("all_reduce", 32);
  c.row(8 * gib, 180);
  connect(c, "NET/IB/0/GDRDMA");
  EXPECT_EQ(ids(c.report()), "NCC211 ");
  c.t.machine.benchmarks[0].rows[0].busbw = gigabytes_per_second(340);
  EXPECT_EQ(ids(c.report()), "");
}

TEST(LikelyPciePath, NoFasterThanPcie) {
  Case c;
  c.nccl("all_reduce", 8);
  c.row(8 * gib, 41);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC205 ");
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_EQ(report.findings[0].consequences.at(0).id, "NCC201");
}

TEST(LikelyPciePath, FasterThanPcieIsAnotherCause) {
  Case c;
  c.nccl("all_gather", 8);
  c.row(8 * gib, 180);
  EXPECT_EQ(ids(c.report()), "NCC201 ");
}

TEST(WrongResults, AnyWrongElementIsAnError) {
  Case c;
  c.nccl("all_reduce", 8);
  c.row(gib, 450, 12);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC206 ");
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  c.t.machine.benchmarks[0].rows[0].wrong_count = 0;
  EXPECT_EQ(ids(c.report()), "");
  c.t.machine.benchmarks[0].rows[0].wrong_count.reset();
  EXPECT_TRUE(unknown(c.report(), "NCC206"));
}

TEST(NothingCommunicated, OneRankHasNobodyToTalkTo) {
  Case c;
  c.nccl("all_reduce", 1);
  c.row(gib, 0);
  EXPECT_EQ(ids(c.report()), "NCC209 ");
  Case healthy;
  healthy.nccl("all_reduce", 8);
  healthy.row(gib, 450);
  EXPECT_EQ(ids(healthy.report()), "");
}

TEST(AlgorithmChoice, RateOfRingsIsANote) {
  Case c;
  c.nccl("all_reduce", 8);
  c.row(8 * gib, 362);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC210 ");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  c.t.machine.benchmarks[0].rows[0].busbw = gigabytes_per_second(470);
  EXPECT_EQ(ids(c.report()), "");
}

TEST(LatencyBound, SmallSizesAloneAreANote) {
  Case c;
  c.nccl("all_reduce", 8);
  c.row(1024, 0.1);
  c.row(1 << 20, 60);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC212 ");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  c.row(8 * gib, 470);
  EXPECT_EQ(ids(c.report()), "");
}

BenchmarkRun& write_bw(Case& c, double gigabits) {
  BenchmarkRun& out = c.run(BenchmarkTool::perftest, "ib_write_bw");
  out.nic = "mlx5_0";
  out.link_layer = "Ethernet";
  out.mtu_bytes = 4096;
  out.connections = 4;
  c.rate(65536, gigabits);
  return out;
}

TEST(AdapterBelowLineRate, FourHundredGigabits) {
  for (const double healthy : {395.0, 391.7, 380.0}) {
    Case c;
    c.nics = "8x400G";
    write_bw(c, healthy);
    EXPECT_EQ(ids(c.report()), "") << healthy;
  }
  Case c;
  c.nics = "8x400G";
  BenchmarkRun& run = write_bw(c, 250);
  run.mtu_bytes = 1024;
  run.connections = 1;
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC207 ");
  EXPECT_EQ(report.findings[0].subject, "mlx5_0 (ib_write_bw)");
  EXPECT_EQ(report.findings[0].remedy.size(), 3u);  // queue pairs, MTU, the rest
}

TEST(AdapterBelowLineRate, RateOfThePortThatIsNamed) {
  Case c;
  const auto nic = c.t.nic(c.t.root_port(c.t.host_bridge({})));
  c.t.machine[nic].nic->rdma_device.claim("mlx5_0", c.t.sysfs());
  c.t.machine[nic].nic->ports.emplace_back().rate.claim(gigabits_per_second(200), c.t.sysfs());
  c.t.settle();
  write_bw(c, 196);
  EXPECT_EQ(ids(c.report()), "");
  c.t.machine.benchmarks[0].rows[0].busbw = gigabits_per_second(98);
  EXPECT_EQ(ids(c.report()), "NCC207 ");
}

TEST(AdapterBelowLineRate, SmallMessagesAndUnknownRates) {
  Case c;
  c.nics = "8x400G";
  write_bw(c, 12).rows[0].size_bytes = 64;
  EXPECT_EQ(ids(c.report()), "");
  Case none;
  write_bw(none, 100);
  EXPECT_TRUE(unknown(none.report(), "NCC207"));
}

TEST(AdapterBelowLineRate, OneTcpStreamIsANote) {
  Case c;
  c.nics = "1x100G";
  c.run(BenchmarkTool::iperf3, "tcp").connections = 1;
  c.rate(0, 31);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC207 ");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  c.t.machine.benchmarks[0].connections = 8;
  EXPECT_EQ(c.report().findings.at(0).severity, Severity::warning);
  c.t.machine.benchmarks[0].rows[0].busbw = gigabits_per_second(93);
  EXPECT_EQ(ids(c.report()), "");
}

TEST(CopyBelowExpected, HostCopiesOverPcie) {
  Case c;
  c.run(BenchmarkTool::nvbandwidth, "host_to_device_memcpy_ce").devices = {"NVIDIA H100 80GB HBM3"};
  c.copy("host", "GPU0", 55.3);
  c.copy("host", "GPU1", 55.2);
  c.copy("host", "GPU2", 54.9);
  EXPECT_EQ(ids(c.report()), "");
  c.copy("host", "GPU3", 27.6);
  const CheckReport report = c.report();
  ASSERT_EQ(ids(report), "NCC208 ");
  EXPECT_NE(report.findings[0].text.find("GPU3"), std::string::npos);
}

TEST(CopyBelowExpected, PeersOnBoardsOfFourAreComparedWithEachOtherOnly) {
  Case c;
  c.run(BenchmarkTool::nvbandwidth, "device_to_device_memcpy_read_ce").devices = {
      "NVIDIA H100 80GB HBM3"};
  for (const char* to : {"GPU1", "GPU2", "GPU3"}) c.copy("GPU0", to, 132);
  EXPECT_EQ(ids(c.report()), "");
  c.copy("GPU1", "GPU2", 41);
  EXPECT_EQ(ids(c.report()), "NCC208 ");
}

TEST(CopyBelowExpected, EightPeersHaveAllLinks) {
  Case c;
  c.run(BenchmarkTool::nvbandwidth, "device_to_device_memcpy_write_ce").devices = {
      "NVIDIA H100 80GB HBM3"};
  for (const char* to : {"GPU1", "GPU2", "GPU3", "GPU4", "GPU5", "GPU6", "GPU7"})
    c.copy("GPU0", to, 52);
  EXPECT_EQ(ids(c.report()), "NCC208 ");
  for (BenchmarkRow& row : c.t.machine.benchmarks[0].rows) row.busbw = gigabytes_per_second(395);
  EXPECT_EQ(ids(c.report()), "");
}

TEST(CopyBelowExpected, UnknownGpus) {
  Case c;
  c.run(BenchmarkTool::nvbandwidth, "device_to_device_memcpy_read_ce");
  c.copy("GPU0", "GPU1", 10);
  EXPECT_TRUE(unknown(c.report(), "NCC208"));
}

}  // namespace
}  // namespace railgauge::judge
