#include "observe/benchmark_text/iperf3.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

const std::string one_stream =
    "Connecting to host 10.0.0.2, port 5201\n"
    "[  5] local 10.0.0.1 port 46212 connected to 10.0.0.2 port 5201\n"
    "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n"
    "[  5]   0.00-1.00   sec  1.10 GBytes  9.42 Gbits/sec    0   1.50 MBytes\n"
    "- - - - - - - - - - - - - - - - - - - - - - - - -\n"
    "[ ID] Interval           Transfer     Bitrate         Retr\n"
    "[  5]   0.00-10.00  sec  10.9 GBytes  9.41 Gbits/sec    7             sender\n"
    "[  5]   0.00-10.04  sec  10.9 GBytes  9.38 Gbits/sec                  receiver\n"
    "\n"
    "iperf Done.\n";

TEST(Iperf3, ReceiverCountsWhereThereIsOne) {
  ASSERT_TRUE(looks_like_iperf3(one_stream));
  const auto m = read_iperf3({"ip.txt", one_stream}).value();
  ASSERT_EQ(m.benchmarks.size(), 1u);
  const auto& run = m.benchmarks[0];
  EXPECT_EQ(run.name, "tcp");
  EXPECT_EQ(run.connections, 1);
  EXPECT_EQ(run.retransmits, 7u);
  EXPECT_EQ(run.hosts, std::vector<std::string>{"10.0.0.2"});
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_NEAR(run.rows[0].busbw->value, 9.38e9 / 8, 1);
  EXPECT_EQ(m.sources.text(run.rows[0].source), "ip.txt:7");
}

TEST(Iperf3, StreamsAreCountedAndTheSumIsTaken) {
  const std::string text =
      "[  5] local 10.0.0.1 port 1 connected to 10.0.0.2 port 5201\n"
      "[  7] local 10.0.0.1 port 2 connected to 10.0.0.2 port 5201\n"
      "[  5]   0.00-10.00  sec  54.0 GBytes  46.0 Gbits/sec    1             sender\n"
      "[  5]   0.00-10.00  sec  54.0 GBytes  46.0 Gbits/sec                  receiver\n"
      "[SUM]   0.00-10.00  sec   109 GBytes  93.9 Gbits/sec   12             sender\n"
      "[SUM]   0.00-10.00  sec   109 GBytes  93.8 Gbits/sec                  receiver\n";
  const auto m = read_iperf3({"x", text}).value();
  EXPECT_EQ(m.benchmarks.at(0).connections, 2);
  EXPECT_EQ(m.benchmarks[0].retransmits, 12u);
  EXPECT_NEAR(m.benchmarks[0].rows.at(0).busbw->value, 93.8e9 / 8, 1);
}

TEST(Iperf3, DatagramsHaveLoss) {
  const std::string text =
      "[  5]   0.00-10.00  sec  1.10 GBytes   945 Mbits/sec  0.010 ms  812/812345 (0.1%)  "
      "receiver\n";
  const auto m = read_iperf3({"x", text}).value();
  EXPECT_EQ(m.benchmarks.at(0).name, "udp");
  EXPECT_NEAR(*m.benchmarks[0].loss_fraction, 0.001, 1e-9);
  EXPECT_FALSE(read_iperf3({"x", "[  5] sender\n"}));
  EXPECT_FALSE(looks_like_iperf3("[ 12.345] usb 1-1: sender\n"));
}

TEST(Iperf3Json, EndOfTheTest) {
  const std::string text = R"({"start": {"version": "iperf 3.12",
"connecting_to": {"host": "10.0.0.2", "port": 5201},
"test_start": {"protocol": "TCP", "num_streams": 8}},
"end": {"sum_sent": {"seconds": 10.0, "bits_per_second": 93.9e9, "retransmits": 12},
"sum_received": {"seconds": 10.04, "bits_per_second": 93.8e9}}})";
  ASSERT_TRUE(looks_like_iperf3_json(text));
  const auto m = read_iperf3_json({"x.json", text}).value();
  const auto& run = m.benchmarks.at(0);
  EXPECT_EQ(run.tool_version, "iperf 3.12");
  EXPECT_EQ(run.connections, 8);
  EXPECT_EQ(run.retransmits, 12u);
  EXPECT_NEAR(run.rows.at(0).busbw->value, 93.8e9 / 8, 1);
  EXPECT_FALSE(read_iperf3_json({"x", R"({"end": {}, "error": "unable to connect"})"}));
}

TEST(Iperf3, IsRecognisedByItsReaderAlone) {
  const auto found = sniff(one_stream);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->kind, InputKind::iperf3);
}

}  // namespace
}  // namespace railgauge::observe
