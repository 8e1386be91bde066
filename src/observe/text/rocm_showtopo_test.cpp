#include "observe/text/rocm_showtopo.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/text/topo_matrix.h"

namespace railgauge::observe {
namespace {

const std::string whole =
    "===== ROCm System Management Interface =====\n"
    "===== Weight between two GPUs =====\n       GPU0         GPU1         \n"
    "GPU0   0            15           \nGPU1   15           0            \n\n"
    "===== Hops between two GPUs =====\n       GPU0         GPU1\nGPU0   0            1\nGPU1   1  "
    "          0\n\n"
    "===== Link Type between two GPUs =====\n       GPU0         GPU1\nGPU0   0            "
    "XGMI\nGPU1   XGMI         0\n\n"
    "===== Numa Nodes =====\nGPU[0]\t\t: (Topology) Numa Node: 0\nGPU[0]\t\t: (Topology) Numa "
    "Affinity: 0\n"
    "GPU[1]\t\t: (Topology) Numa Node: 1\nGPU[1]\t\t: (Topology) Numa Affinity: -1\n";

TEST(RocmShowtopo, EveryPartIsRead) {
  ASSERT_TRUE(looks_like_rocm_showtopo(whole));
  EXPECT_FALSE(looks_like_topo_matrix(whole));
  const auto m = read_rocm_showtopo({"x", whole});
  ASSERT_TRUE(m.has_value());
  EXPECT_TRUE(m->remarks.empty());
  ASSERT_EQ(m->pairs.size(), 1u);
  EXPECT_EQ(*m->pairs[0].rocm_weight, 15);
  EXPECT_EQ(*m->pairs[0].rocm_hops, 1);
  EXPECT_EQ(*m->pairs[0].rocm_link, "XGMI");
  EXPECT_EQ(m->pairs[0].rocm_link.claims().size(), 2u);
  EXPECT_EQ(*m->devices[1].numa_node, 1);
  EXPECT_TRUE(m->devices[1].gpu->numa_affinity.reading().is_failed());
}

TEST(RocmShowtopo, TablesOfAmdSmiNameGpusByAddress) {
  const auto m = read_rocm_showtopo(
      {"x",
       "LINK TYPE TABLE:\n             0000:0c:00.0 0000:22:00.0\n0000:0c:00.0 SELF         XGMI\n"
       "0000:22:00.0 XGMI         SELF\n\nNUMA BW TABLE:\n             0000:0c:00.0 0000:22:00.0\n"
       "0000:0c:00.0 N/A 50000-50000\n0000:22:00.0 50000-50000 N/A\n"});
  ASSERT_TRUE(m.has_value());
  ASSERT_EQ(m->devices.size(), 2u);
  EXPECT_EQ(m->devices[0].address->text(), "0000:0c:00.0");
  EXPECT_EQ(*m->pairs[0].rocm_link, "XGMI");
  ASSERT_EQ(m->remarks.size(), 1u);  // the bandwidth table is said, not dropped
  EXPECT_TRUE(contains(m->remarks[0].text, "NUMA BW TABLE"));
}

TEST(RocmShowtopo, CutRowsAreSaid) {
  const auto m = read_rocm_showtopo(
      {"x", "== Hops between two GPUs ==\n GPU0 GPU1 GPU2\nGPU0 0 1 1\nGPU1 1 0\n"});
  ASSERT_TRUE(m.has_value());
  ASSERT_EQ(m->remarks.size(), 2u);
  EXPECT_EQ(m->remarks[0].text, "row GPU1 has 2 of 3 cells");
}

}  // namespace
}  // namespace railgauge::observe
