#include "observe/benchmark_text/nccl_tests.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

using model::BenchmarkRun;
using model::Machine;

const std::string table =
    "# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703\n"
    "# Collective test starting: all_reduce_perf\n"
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 1073741824 step: 2(factor) warmup iters: 1 iters: 20 "
    "agg iters: 1 validation: 1 graph: 0\n"
    "#\n"
    "# Using devices\n"
    "#  Rank  0 Group  0 Pid   4242 on     node01 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3\n"
    "#  Rank  1 Group  0 Pid   4242 on     node01 device  1 [0000:43:00] NVIDIA H100 80GB HBM3\n"
    "#\n"
    "#                                                              out-of-place                   "
    " "
    "   in-place          \n"
    "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
    "time "
    "  algbw   busbw  #wrong \n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             "
    "(us) "
    " (GB/s)  (GB/s)         \n"
    "           8             2     float     sum      -1     6.24    0.00    0.00       0     "
    "6.11 "
    "   0.00    0.00       0\n"
    "  1073741824     268435456     float     sum      -1   3371.2  318.51  318.51       3   "
    "3360.8 "
    " 319.49  319.49     N/A\n"
    "# Out of bounds values : 0 OK\n"
    "# Avg bus bandwidth    : 159.5 \n"
    "#\n"
    "# Collective test concluded: all_reduce_perf\n";

TEST(NcclTests, TableWithDevicesAndBothPlacements) {
  ASSERT_TRUE(looks_like_nccl_tests(table));
  const auto m = read_nccl_tests({"ar.txt", table}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.benchmarks.size(), 1u);
  const BenchmarkRun& run = m.benchmarks[0];
  EXPECT_EQ(run.name, "all_reduce");
  EXPECT_EQ(run.tool_version, "2.17.1 (NCCL 2.27.3)");
  EXPECT_EQ(run.data_type, "float");
  EXPECT_EQ(run.reduction, "sum");
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.nodes, 1);
  EXPECT_EQ(run.gpus_per_node, 2);
  EXPECT_EQ(run.hosts, std::vector<std::string>{"node01"});
  EXPECT_EQ(run.devices, std::vector<std::string>{"NVIDIA H100 80GB HBM3"});
  ASSERT_EQ(run.rows.size(), 4u);
  EXPECT_EQ(run.rows[2].size_bytes, 1073741824u);
  EXPECT_NEAR(*run.rows[2].seconds, 3371.2e-6, 1e-12);
  EXPECT_NEAR(run.rows[2].busbw->value, 318.51e9, 1);
  EXPECT_EQ(run.rows[2].wrong_count, 3u);
  EXPECT_FALSE(run.rows[2].in_place);
  EXPECT_TRUE(run.rows[3].in_place);
  EXPECT_FALSE(run.rows[3].wrong_count);
  EXPECT_EQ(m.sources.text(run.rows[2].source), "ar.txt:13");
}

TEST(NcclTests, OldTableWithoutRootAndWithAnError) {
  const std::string old =
      "$ ./build/all_gather_perf -b 1M -e 1M -g 8\n"
      "# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1048576 step: 1048576(bytes) warmup iters: 5 "
      "iters: 20 validation: 1 \n"
      "#   Rank  0 Pid  98765 on       dgx1 device  0 [0x06] Tesla V100-SXM2-32GB\n"
      "#       size         count    type     time   algbw   busbw  error     time   algbw   busbw "
      " "
      "error\n"
      "     1048576         32768   float    61.33   17.10   14.96  0e+00    60.59   17.31   15.14 "
      " "
      "0e+00\n";
  const auto m = read_nccl_tests({"x", old}).value();
  EXPECT_TRUE(m.remarks.empty());
  const BenchmarkRun& run = m.benchmarks.at(0);
  EXPECT_EQ(run.name, "all_gather");
  EXPECT_EQ(run.ranks, 8);  // of one process, though one line of the list was pasted
  ASSERT_EQ(run.rows.size(), 2u);
  EXPECT_NEAR(run.rows[0].busbw->value, 14.96e9, 1);
  EXPECT_FALSE(run.rows[0].wrong_count);
}

TEST(NcclTests, PerIterationColumnsAndTimestamps) {
  const std::string text =
      "#       size         count      type   redop    root     time   algbw   busbw  #wrong    "
      "i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    "
      "i_p99 "
      "   i_cv%           timestamp\n"
      "        1024           512      half     sum      -1     9.10    0.11    0.20       0     "
      "8.80     9.90     9.80     2.10     9.00    0.11    0.21       0     8.70     9.50     9.40 "
      " "
      "   2.00  2026-01-02 03:04:05\n";
  const auto m = read_nccl_tests({"x", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.benchmarks.at(0).rows.size(), 2u);
  EXPECT_NEAR(m.benchmarks[0].rows[1].busbw->value, 0.21e9, 1);
  EXPECT_NEAR(*m.benchmarks[0].rows[1].seconds, 9e-6, 1e-12);
}

TEST(NcclTests, LauncherPrefixesAndSeveralNodes) {
  std::string text = "[1,0]<stdout>:# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor)\n";
  for (int rank = 0; rank < 4; ++rank)
    text += "[1,0]<stdout>:#  Rank  " + std::to_string(rank) + " Group  0 Pid 77 on  node0" +
            std::to_string(rank / 2) + " device  " + std::to_string(rank % 2) +
            " [0000:1b:00] NVIDIA H200\n";
  text +=
      "[1,0]<stdout>:           8             2     float    none      -1     6.24    0.00    0.00 "
      " "
      "     0     6.11    0.00    0.00       0\n";
  ASSERT_TRUE(looks_like_nccl_tests(text));
  const auto m = read_nccl_tests({"x", text}).value();
  const BenchmarkRun& run = m.benchmarks.at(0);
  EXPECT_EQ(run.ranks, 4);
  EXPECT_EQ(run.nodes, 2);
  EXPECT_EQ(run.gpus_per_node, 2);
  EXPECT_EQ(run.reduction, "none");
  EXPECT_EQ(run.rows.size(), 2u);
}

TEST(NcclTests, TwoProgramsAreTwoRuns) {
  std::string second = table;
  second.replace(second.find("all_reduce_perf"), 15, "all_gather_perf");
  const auto m = read_nccl_tests({"x", table + second}).value();
  ASSERT_EQ(m.benchmarks.size(), 2u);
  EXPECT_EQ(m.benchmarks[1].name, "all_gather");
  EXPECT_EQ(m.benchmarks[1].ranks, 2);
}

TEST(NcclTests, CutRowIsSaid) {
  const std::string text =
      "  1024   256  float  sum  -1  9.1  0.11  0.20  0  9.0  0.11  0.20  0\n"
      "  2048   512  float  sum  -1  9.1  0.22\n"
      "  4096  1024  float  sum  -1  9.1  0.44  0.80  0\n";
  const auto m = read_nccl_tests({"x", text}).value();
  ASSERT_EQ(m.remarks.size(), 2u);
  EXPECT_EQ(m.remarks[0].source.line, 2u);
  EXPECT_EQ(m.benchmarks.at(0).rows.size(), 3u);
  EXPECT_FALSE(read_nccl_tests({"x", "hello\n"}));
  EXPECT_FALSE(looks_like_nccl_tests("1 2 3\n"));
}

TEST(NcclTestsJson, ReportWithConfigAndResults) {
  const std::string text =
      R"({"version":1,"args":["./build/all_reduce_perf","-J","x.json"],"nccl_version":22809,
"config":{"nthreads":1,"ngpus":8,"devices":[{"rank":0,"hostname":"node01","device":0,
"device_info":"NVIDIA H100 80GB HBM3"}]},
"results":[{"size":1048576,"count":262144,"type":"float","redop":"sum","root":"    -1",
"out_of_place":{"time":25.4,"alg_bw":41.28,"bus_bw":72.24,"nwrong":0.0},
"in_place":{"time":25.1,"alg_bw":41.8,"bus_bw":73.1,"nwrong":null}}]})";
  ASSERT_TRUE(looks_like_nccl_tests_json(text));
  const auto m = read_nccl_tests_json({"x.json", text}).value();
  const BenchmarkRun& run = m.benchmarks.at(0);
  EXPECT_EQ(run.name, "all_reduce");
  EXPECT_EQ(run.tool_version, "NCCL 2.28.9");
  EXPECT_EQ(run.ranks, 8);
  EXPECT_EQ(run.nodes, 1);
  ASSERT_EQ(run.rows.size(), 2u);
  EXPECT_NEAR(run.rows[0].busbw->value, 72.24e9, 1);
  EXPECT_EQ(run.rows[0].wrong_count, 0u);
  EXPECT_FALSE(run.rows[1].wrong_count);
  EXPECT_FALSE(read_nccl_tests_json({"x", R"({"results": [1, "bus_bw"]})"}));
  EXPECT_FALSE(read_nccl_tests_json({"x", "{\"results\""}));
}

TEST(NcclTests, ProgramNamesAndVersions) {
  EXPECT_EQ(nccl_tests_program("srun /opt/nccl-tests/build/reduce_scatter_perf -g 1"),
            "reduce_scatter");
  EXPECT_EQ(nccl_tests_program("./alltoall_perf"), "alltoall");
  EXPECT_EQ(nccl_tests_program("my_perf"), "");
  EXPECT_EQ(nccl_version_text(22703), "2.27.3");
  EXPECT_EQ(nccl_version_text(2803), "2.8.3");
}

TEST(NcclTests, IsRecognisedByItsReaderAlone) {
  const auto found = sniff(table);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->kind, InputKind::nccl_tests);
}

}  // namespace
}  // namespace railgauge::observe
