#include "observe/benchmark_text/nvbandwidth.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

const std::string matrices =
    "nvbandwidth Version: v0.8\n"
    "Built from Git version: v0.8\n"
    "\n"
    "CUDA Runtime Version: 12080\n"
    "Driver Version: 570.86.15\n"
    "\n"
    "node01\n"
    "Device 0: NVIDIA H100 80GB HBM3 (00000000:1b:00)\n"
    "Device 1: NVIDIA H100 80GB HBM3 (00000000:43:00)\n"
    "\n"
    "Running host_to_device_memcpy_ce.\n"
    "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
    "           0         1\n"
    " 0     55.35     27.61\n"
    "\n"
    "SUM host_to_device_memcpy_ce 82.96\n"
    "\n"
    "Running device_to_device_memcpy_read_ce.\n"
    "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n"
    "           0         1\n"
    " 0       N/A    395.07\n"
    " 1    394.36       N/A\n"
    "\n"
    "SUM device_to_device_memcpy_read_ce 789.43\n"
    "\n"
    "Running host_device_latency_sm.\n"
    "memory latency SM CPU(row) <-> GPU(column) (ns)\n"
    "           0         1\n"
    " 0    713.46    724.71\n";

TEST(Nvbandwidth, OneRunATestCaseOneRowACell) {
  ASSERT_TRUE(looks_like_nvbandwidth(matrices));
  const auto m = read_nvbandwidth({"nv.txt", matrices}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.benchmarks.size(), 3u);
  const auto& host = m.benchmarks[0];
  EXPECT_EQ(host.name, "host_to_device_memcpy_ce");
  EXPECT_EQ(host.tool_version, "v0.8");
  EXPECT_EQ(host.devices, std::vector<std::string>{"NVIDIA H100 80GB HBM3"});
  ASSERT_EQ(host.rows.size(), 2u);
  EXPECT_EQ(host.rows[1].from, "host");
  EXPECT_EQ(host.rows[1].to, "GPU1");
  EXPECT_NEAR(host.rows[1].busbw->value, 27.61e9, 1);
  const auto& peer = m.benchmarks[1];
  ASSERT_EQ(peer.rows.size(), 2u);  // N/A is no row
  EXPECT_EQ(peer.rows[0].from, "GPU1");
  EXPECT_EQ(peer.rows[0].to, "GPU0");
  EXPECT_NEAR(*m.benchmarks[2].rows.at(0).seconds, 713.46e-9, 1e-15);
  EXPECT_FALSE(m.benchmarks[2].rows[0].busbw);
}

TEST(Nvbandwidth, OddCellsAndShortRowsAreSaid) {
  const auto m = read_nvbandwidth({"x",
                                   "Running a_b.\n"
                                   "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n"
                                   " 0 1\n 0 N/A nonsense\n 1 5.0\n"})
                     .value();
  EXPECT_EQ(m.remarks.size(), 2u);
  EXPECT_EQ(m.benchmarks.at(0).rows.size(), 1u);
  EXPECT_FALSE(read_nvbandwidth({"x", "Running a_b.\n"}));
  EXPECT_FALSE(looks_like_nvbandwidth("Running late today.\n"));
}

TEST(NvbandwidthJson, MatricesOfStrings) {
  const std::string text = R"json({"nvbandwidth" : {"version": "v0.8",
"GPU Device list": ["0: NVIDIA H200 (00000000:1b:00): (node01)"],
"testcases": [{"name": "device_to_host_memcpy_ce", "status": "Passed",
"bandwidth_description": "memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)",
"bandwidth_matrix": [["55.1", "N/A"]], "sum": 55.1},
{"name": "skipped", "status": "Waived"}]}})json";
  ASSERT_TRUE(looks_like_nvbandwidth_json(text));
  const auto m = read_nvbandwidth_json({"x.json", text}).value();
  ASSERT_EQ(m.benchmarks.size(), 1u);
  const auto& run = m.benchmarks[0];
  EXPECT_EQ(run.devices, std::vector<std::string>{"NVIDIA H200"});
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_EQ(run.rows[0].from, "GPU0");
  EXPECT_EQ(run.rows[0].to, "host");
  EXPECT_NEAR(run.rows[0].busbw->value, 55.1e9, 1);
  EXPECT_FALSE(read_nvbandwidth_json({"x", R"({"nvbandwidth": {"testcases": 3}})"}));
}

TEST(Nvbandwidth, IsRecognisedByItsReaderAlone) {
  const auto found = sniff(matrices);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->kind, InputKind::nvbandwidth);
}

}  // namespace
}  // namespace railgauge::observe
