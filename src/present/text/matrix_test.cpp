#include <gtest/gtest.h>

#include "base/strings.h"
#include "present/present.h"
#include "present/testing/sample_machines.h"

namespace railgauge::present {
namespace {

TEST(TextMatrix, HasNvidiaSmisColumnsAndLegend) {
  const std::string text = text_matrix(testing::one_gpu(), Style{});
  LineCursor lines(text);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(split_blank(lines.line()),
            (std::vector<std::string_view>{"GPU0", "NIC0", "CPU", "Affinity", "NUMA", "Affinity",
                                           "GPU", "NUMA", "ID"}));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(split_blank(lines.line()),
            (std::vector<std::string_view>{"GPU0", "X", "PHB", "0-55,112-167", "0", "N/A"}));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(split_blank(lines.line()), (std::vector<std::string_view>{"NIC0", "PHB", "X"}));
  EXPECT_TRUE(contains(text, "  NIC0: mlx5_0\n")) << text;
  EXPECT_TRUE(contains(text, "  PIX  = Connection traversing at most a single PCIe bridge"));
}

TEST(TextMatrix, RatesAreOneDirectionAsFound) {
  const std::string text = text_matrix(testing::dgx(true), Style{});
  const auto rates = text.substr(text.find("GB/s"));
  LineCursor lines(rates);
  ASSERT_TRUE(lines.next());
  ASSERT_TRUE(lines.next());
  const auto cells = split_blank(lines.line());
  ASSERT_EQ(cells.size(), 19u);
  EXPECT_EQ(cells[0], "GPU0");
  EXPECT_EQ(cells[1], "X");
  EXPECT_EQ(cells[2], "450");  // GPU1 by NVLink
  EXPECT_EQ(cells[9], "63");   // NIC0 below the same switch
}

TEST(TextMatrix, WhereNoRateIsKnownOneSentenceSaysWhy) {
  const std::string text = text_matrix(testing::from_matrix(), Style{});
  EXPECT_TRUE(contains(text, "No rate is known: NV4 has no generation")) << text;
  EXPECT_FALSE(contains(text, "Rate of each path")) << text;
}

TEST(TextMatrix, WithoutDevicesItSaysSo) {
  EXPECT_EQ(text_matrix(model::Machine{}, Style{}), "no GPU and no NIC known\n");
}

}  // namespace
}  // namespace railgauge::present
