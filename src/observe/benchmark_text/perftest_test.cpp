#include "observe/benchmark_text/perftest.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

const std::string write_bw =
    "---------------------------------------------------------------------------------------\n"
    "                    RDMA_Write BW Test\n"
    " Dual-port       : OFF\t\tDevice         : mlx5_0\n"
    " Number of qps   : 4\t\tTransport type : IB\n"
    " Connection type : RC\t\tUsing SRQ      : OFF\n"
    " TX depth        : 128\n"
    " Mtu             : 4096[B]\n"
    " Link type       : Ethernet\n"
    " GID index       : 3\n"
    "---------------------------------------------------------------------------------------\n"
    " local address: LID 0000 QPN 0x0123 PSN 0xabcdef RKey 0x1fff VAddr 0x007f0000000000\n"
    "---------------------------------------------------------------------------------------\n"
    " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
    " 65536      5000             391.90             391.72             0.747143\n"
    "---------------------------------------------------------------------------------------\n";

TEST(Perftest, RateAndSettings) {
  ASSERT_TRUE(looks_like_perftest(write_bw));
  const auto m = read_perftest({"bw.txt", write_bw}).value();
  ASSERT_EQ(m.benchmarks.size(), 1u);
  const auto& run = m.benchmarks[0];
  EXPECT_EQ(run.name, "ib_write_bw");
  EXPECT_EQ(run.nic, "mlx5_0");
  EXPECT_EQ(run.connections, 4);
  EXPECT_EQ(run.mtu_bytes, 4096);
  EXPECT_EQ(run.link_layer, "Ethernet");
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_EQ(run.rows[0].size_bytes, 65536u);
  EXPECT_NEAR(run.rows[0].busbw->value, 391.72e9 / 8, 1);
}

TEST(Perftest, MegabytesAreOfTwoToTheTwenty) {
  std::string text = write_bw;
  for (std::size_t at; (at = text.find("Gb/sec")) != std::string::npos;)
    text.replace(at, 6, "MiB/sec");
  const auto m = read_perftest({"x", text}).value();
  EXPECT_NEAR(m.benchmarks.at(0).rows.at(0).busbw->value, 391.72 * 1048576, 1);
}

TEST(Perftest, LatencyAndBothDirections) {
  const std::string text =
      "                    Send Bidirectional BW Test\n"
      " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
      " 65536      1000             0.00               180.10             0.34\n"
      "---------------------------------------------------------------------------------------\n"
      "                    RDMA_Write Latency Test\n"
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
      "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
      " 2       1000          1.05           3.59         1.09                1.10             "
      "0.05 "
      "          1.20                    3.59   \n";
  const auto m = read_perftest({"x", text}).value();
  ASSERT_EQ(m.benchmarks.size(), 2u);
  EXPECT_EQ(m.benchmarks[0].name, "ib_send_bw_bidirectional");
  EXPECT_EQ(m.benchmarks[1].name, "ib_write_lat");
  EXPECT_NEAR(*m.benchmarks[1].rows.at(0).seconds, 1.09e-6, 1e-12);
}

TEST(Perftest, TableWithoutSettings) {
  const std::string text =
      " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
      " 65536      1000             11000.0            10990.5            0.17\n";
  const auto m = read_perftest({"x", text}).value();
  EXPECT_EQ(m.benchmarks.at(0).name, "ib_bw");
  EXPECT_FALSE(m.benchmarks[0].connections);
  EXPECT_FALSE(read_perftest({"x", "#bytes\n 1 2 3 4\n"}));
}

TEST(Perftest, IsRecognisedByItsReaderAlone) {
  const auto found = sniff(write_bw);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->kind, InputKind::perftest);
}

}  // namespace
}  // namespace railgauge::observe
