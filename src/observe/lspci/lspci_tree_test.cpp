#include "observe/lspci/lspci_tree.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;

const std::string two_roots =
    "-+-[0000:16]-+-00.0  Intel Corporation Ice Lake Memory Map/VT-d\n"
    " |           +-01.0-[17-1a]----00.0-[18-1a]--+-00.0-[19]----00.0  NVIDIA Corporation GH100 "
    "[H100 SXM5 80GB]\n"
    " |           |                               \\-01.0-[1a]--+-00.0  Mellanox Technologies "
    "MT2910 Family [ConnectX-7]\n"
    " |           |                                            \\-00.1  Mellanox Technologies "
    "MT2910 Family [ConnectX-7]\n"
    " |           \\-02.0-[1b]--\n"
    " \\-[0000:00]-+-00.0  Intel Corporation Device\n"
    "             \\-1f.0  Intel Corporation C620 Series LPC\n";

std::string parents(const Machine& machine, const char* address) {
  std::string out;
  for (const auto id : ancestry(machine, *machine.at(*model::PciAddress::parse(address))))
    out += machine[id].address->text().substr(5) + " ";
  return out;
}

TEST(LspciTree, TheDrawingBecomesParents) {
  ASSERT_TRUE(looks_like_lspci_tree(two_roots));
  const auto m = read_lspci_tree({"x", two_roots});
  ASSERT_TRUE(m.has_value());
  EXPECT_EQ(m->devices.size(), 11u);
  EXPECT_EQ(parents(*m, "19:00.0"), "19:00.0 18:00.0 17:00.0 16:01.0 ");
  EXPECT_EQ(parents(*m, "1a:00.1"), "1a:00.1 18:01.0 17:00.0 16:01.0 ");
  EXPECT_EQ(parents(*m, "00:1f.0"), "00:1f.0 ");
  const auto& port = (*m)[*m->at(*model::PciAddress::parse("16:01.0"))];
  EXPECT_EQ(*port.pci->secondary_bus, 0x17);
  EXPECT_EQ(*port.pci->subordinate_bus, 0x1a);
  EXPECT_EQ((*m)[*m->at(*model::PciAddress::parse("19:00.0"))].kind, DeviceKind::gpu);
  EXPECT_EQ((*m)[*m->at(*model::PciAddress::parse("1a:00.0"))].kind, DeviceKind::nic);
  EXPECT_EQ(m->remarks.size(), 1u);  // only that classes are not printed
}

TEST(LspciTree, OneRootWithIdsIsRead) {
  const auto m =
      read_lspci_tree({"x",
                       "-[0000:00]-+-00.0  Intel Corporation Device [8086:0998]\n           "
                       "\\-1c.0-[01]----00.0  NVIDIA Corporation Device [10de:2684]\n"});
  ASSERT_TRUE(m.has_value());
  EXPECT_EQ(parents(*m, "01:00.0"), "01:00.0 00:1c.0 ");
  EXPECT_EQ(m->devices.back().pci->id->device, 0x2684);
}

TEST(LspciTree, ABranchBelowNothingIsSaid) {
  const auto m = read_lspci_tree({"x", "-[0000:00]-+-00.0\n     +-01.0-[01]--\n"});
  ASSERT_TRUE(m.has_value());
  EXPECT_TRUE(contains(m->remarks[0].text, "hangs below nothing"));
  EXPECT_EQ(m->remarks[0].source.line, 2u);
}

TEST(LspciTree, OtherTextsAreNotOurs) {
  EXPECT_FALSE(looks_like_lspci_tree("-[x]\n+-foo"));
  EXPECT_FALSE(read_lspci_tree({"x", "hello"}).has_value());
}

}  // namespace
}  // namespace railgauge::observe
