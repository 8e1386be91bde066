#include "model/pci.h"

#include <gtest/gtest.h>

namespace railgauge::model {
namespace {

TEST(PciAddress, EveryToolsFormIsTheSameAddress) {
  const auto expected = PciAddress::parse("0000:5d:00.0");
  ASSERT_TRUE(expected);
  EXPECT_EQ(PciAddress::parse("5d:00.0"), expected);
  EXPECT_EQ(PciAddress::parse("00000000:5D:00.0"), expected);
  EXPECT_EQ(PciAddress::parse("0000:5d:00"), expected);
  EXPECT_EQ(expected->text(), "0000:5d:00.0");
  EXPECT_EQ(PciAddress::parse("10000:e1:00.0")->text(), "10000:e1:00.0");
  EXPECT_EQ(PciAddress::parse("ffff:ff:01.0")->text(), "ffff:ff:01.0");
}

TEST(PciAddress, OtherTextIsNot) {
  for (const char* text :
       {"", ":", "zz:00.0", "5d:00.8", "5d:0000.0", "1:2:3:4.0", "5d", "0x5d:00.0"})
    EXPECT_FALSE(PciAddress::parse(text)) << text;
}

TEST(PcieSpeed, ReadsEverySpelling) {
  for (const char* text : {"16.0 GT/s PCIe", "16GT/s", "16 GT/s", "16.0 GT/s"})
    EXPECT_EQ(PcieSpeed::parse(text)->generation(), 4) << text;
  EXPECT_EQ(PcieSpeed::parse("2.5 GT/s")->text(), "Gen1");
  EXPECT_FALSE(PcieSpeed::parse("Unknown"));
  EXPECT_FALSE(PcieSpeed::parse("Unknown speed"));
  EXPECT_FALSE(PcieSpeed::parse(""));
  EXPECT_EQ(PcieSpeed::of_generation(6)->megatransfers, 64000u);
  EXPECT_FALSE(PcieSpeed::of_generation(0));
}

}  // namespace
}  // namespace railgauge::model
