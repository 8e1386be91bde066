#include "observe/text/tokens.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

using Words = std::vector<std::string>;

TEST(Tokens, LabelsAreDevicesAndNeverCells) {
  EXPECT_EQ(parse_label("GPU12")->number, 12);
  EXPECT_EQ(parse_label("NIC3")->kind, LabelKind::nic_number);
  EXPECT_EQ(parse_label("mlx5_bond_0")->kind, LabelKind::nic_name);
  EXPECT_EQ(parse_label("0000:0c:00.0")->kind, LabelKind::pci_address);
  for (const char* word :
       {"NV12", "PIX", "X", "SYSNV18", "GPU", "NIC", "GPUx", "CPU", "0-47", "52"})
    EXPECT_FALSE(parse_label(word)) << word;
}

TEST(Tokens, WordsThatLostTheirBlankAreCutWhereOneReadingExists) {
  EXPECT_EQ(split_merged_cells("SYSSYS"), (Words{"SYS", "SYS"}));
  EXPECT_EQ(split_merged_cells("NV12XNODEPIX"), (Words{"NV12", "X", "NODE", "PIX"}));
  EXPECT_EQ(split_merged_cells("SYS0-47,96-143"), (Words{"SYS", "0-47,96-143"}));
  EXPECT_EQ(split_merged_cells("NODEN/A"), (Words{"NODE", "N/A"}));
}

TEST(Tokens, WordsWithTwoReadingsAreLeft) {
  EXPECT_TRUE(split_merged_cells("NV120-47").empty());  // NV1 20-47, NV12 0-47
  EXPECT_TRUE(split_merged_cells("SYS").empty());
  EXPECT_TRUE(split_merged_cells("SYSTEM").empty());
}

TEST(Tokens, MergedColumnsAreCut) {
  EXPECT_EQ(split_merged_labels("NIC28NIC29"), (Words{"NIC28", "NIC29"}));
  EXPECT_TRUE(split_merged_labels("NIC28").empty());
}

TEST(Tokens, PlainTextHasNoTerminalCodesBarsOrNoBreakSpaces) {
  EXPECT_EQ(plain_text("\x1b[4mGPU0\x1b[0m\tGPU1\r\n| X\xc2\xa0|"), "GPU0\tGPU1\n  X  ");
}

}  // namespace
}  // namespace railgauge::observe
