#include "observe/lspci/lspci_hex.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// A GPU: PCI Express capability at 0x60, Gen5 x16 capable, Gen1 x16 now (idle).
const std::string gpu =
    "19:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n"
    "00: de 10 30 23 06 05 10 00 a1 00 02 03 00 00 00 00\n"
    "10: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
    "20: 00 00 00 00 00 00 00 00 00 00 00 00 de 10 c1 16\n"
    "30: 00 00 00 00 60 00 00 00 00 00 00 00 ff 01 00 00\n";
const std::string express =
    "40: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
    "50: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
    "60: 10 00 02 00 00 00 00 00 30 59 00 00 05 01 40 00\n"
    "70: 40 00 01 11 00 00 00 00 00 00 00 00 00 00 00 00\n";
std::string zeros(int from, int to) {
  std::string out;
  for (int at = from; at < to; at += 16) {
    const char* digits = "0123456789abcdef";
    out += std::string(1, digits[at >> 4]) + digits[at & 15] + ":";
    for (int i = 0; i < 16; ++i) out += " 00";
    out += "\n";
  }
  return out;
}

TEST(LspciHex, TheBytesAreDecoded) {
  const std::string text = gpu + express + zeros(0x80, 0x100);
  ASSERT_TRUE(looks_like_lspci_hex(text));
  const auto m = read_lspci_hex({"x", text});
  ASSERT_TRUE(m.has_value());
  EXPECT_TRUE(m->remarks.empty());
  const auto& device = m->devices[0];
  EXPECT_EQ(device.kind, model::DeviceKind::gpu);
  EXPECT_EQ(*device.pci->id, (model::PciId{0x10de, 0x2330}));
  EXPECT_EQ(device.pci->link.max_speed->generation(), 5);
  EXPECT_EQ(device.pci->link.current_speed->generation(), 1);
  EXPECT_EQ(*device.pci->link.current_width, 16);
  EXPECT_EQ(*device.pci->max_read_request_bytes, 4096);
}

TEST(LspciHex, SixtyFourBytesSayThatRootIsNeeded) {
  const auto m = read_lspci_hex({"x", gpu});
  ASSERT_TRUE(m.has_value());
  EXPECT_EQ(m->devices[0].kind, model::DeviceKind::gpu);
  EXPECT_TRUE(contains(m->devices[0].pci->link.current_width.reading().why(), "needs root"));
}

TEST(LspciHex, CutAndMissingLinesAreSaid) {
  const auto m = read_lspci_hex(
      {"x", gpu + "40: 00 00 00\n" + "50: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"});
  ASSERT_TRUE(m.has_value());
  ASSERT_EQ(m->remarks.size(), 2u);
  EXPECT_TRUE(contains(m->remarks[0].text, "a line of hex was cut"));
  EXPECT_TRUE(contains(m->remarks[1].text, "hex goes on at 0x50, expected 0x40"));
}

TEST(LspciHex, HexWithoutADeviceIsSaid) {
  const auto result = read_lspci_hex({"x", express});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "x:1: 4 lines of hex without the device they belong to");
}

}  // namespace
}  // namespace railgauge::observe
