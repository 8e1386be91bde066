#include "observe/text/topo_p2p.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/text/topo_matrix.h"

namespace railgauge::observe {
namespace {

using model::P2pStatus;

const std::string refused =
    " \tGPU0\tGPU1\t\n GPU0\tX\tGNS\t\n GPU1\tGNS\tX\t\n\nLegend:\n  OK   = Status Ok\n";

TEST(TopoP2p, WithoutACommandLineTheMatrixIsTakenAsReadAndThatIsSaid) {
  ASSERT_TRUE(looks_like_topo_p2p(refused));
  const auto m = read_topo_p2p({"p2p.txt", refused});
  ASSERT_TRUE(m.has_value());
  ASSERT_EQ(m->pairs.size(), 1u);
  EXPECT_EQ(*m->pairs[0].p2p_read, P2pStatus::gpu_not_supported);
  EXPECT_EQ(m->pairs[0].p2p_read.claims().size(), 2u);
  ASSERT_EQ(m->remarks.size(), 1u);
  EXPECT_EQ(m->remarks[0].level, model::RemarkLevel::note);
}

TEST(TopoP2p, TheCommandLineNamesTheKind) {
  for (const auto& [letters, field] : {std::pair{"w", &model::Pair::p2p_write},
                                       {"n", &model::Pair::p2p_nvlink},
                                       {"a", &model::Pair::p2p_atomics},
                                       {"p", &model::Pair::p2p_pcie},
                                       {"rw", &model::Pair::p2p_read}}) {
    const auto m =
        read_topo_p2p({"x", std::string("$ nvidia-smi topo -p2p ") + letters + "\n" + refused});
    ASSERT_TRUE(m.has_value());
    EXPECT_TRUE((m->pairs[0].*field).known()) << letters;
    EXPECT_TRUE(m->remarks.empty());
  }
}

TEST(TopoP2p, CutRowsAndUnknownWordsAreSaid) {
  const auto m =
      read_topo_p2p({"x", "     GPU0 GPU1 GPU2\nGPU0 X OK OK\nGPU1 OK X\nGPU2 OK HUH X\n"});
  ASSERT_TRUE(m.has_value());
  std::string all;
  for (const auto& r : m->remarks) all += r.text + "\n";
  EXPECT_TRUE(contains(all, "row GPU1 has 2 of 3 cells")) << all;
  EXPECT_TRUE(contains(all, "row GPU2, column GPU1: \"HUH\"")) << all;
}

TEST(TopoP2p, BothMatricesInOnePasteGoToTheirOwnReader) {
  const std::string both =
      "$ nvidia-smi topo -m\n     GPU0 GPU1\nGPU0 X NV4\nGPU1 NV4 X\n$ nvidia-smi topo -p2p r\n" +
      refused;
  const auto p2p = read_topo_p2p({"x", both});
  const auto classes = read_topo_matrix({"x", both});
  ASSERT_TRUE(p2p && classes);
  EXPECT_FALSE(p2p->pairs[0].smi.known());
  EXPECT_EQ(classes->pairs[0].smi->text(), "NV4");
  EXPECT_FALSE(classes->pairs[0].p2p_read.known());
  EXPECT_TRUE(classes->remarks.empty());
}

}  // namespace
}  // namespace railgauge::observe
