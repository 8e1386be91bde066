#include "observe/catalogue/pci_ids.h"

#include <gtest/gtest.h>

#include <fstream>

namespace railgauge::observe {
namespace {

const char* const sample =
    "# a comment\n"
    "10de  NVIDIA Corporation\n"
    "\t2330  GH100 [H100 SXM5 80GB]\n"
    "\t\t10de 16c1  a subsystem\n"
    "15b3  Mellanox Technologies\n"
    "\t1021  MT2910 Family [ConnectX-7]\n"
    "C 02  Network controller\n"
    "\t1021  not a device\n";

TEST(PciIds, NamesAreVendorAndDevice) {
  const auto names = pci_names_in({{0x15b3, 0x1021}, {0x10de, 0x2330}, {0x10de, 1}}, sample);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names.at({0x15b3, 0x1021}), "Mellanox Technologies MT2910 Family [ConnectX-7]");
  EXPECT_EQ(names.at({0x10de, 0x2330}), "NVIDIA Corporation GH100 [H100 SXM5 80GB]");
}

TEST(PciIds, SubsystemsAndClassesAreNotDevices) {
  EXPECT_TRUE(pci_names_in({{0x10de, 0x10de}}, sample).empty());
  EXPECT_TRUE(pci_names_in({{2, 0x1021}}, sample).empty());
}

TEST(PciIds, FileThatIsNotThereGivesNoNames) {
  EXPECT_TRUE(pci_names({{0x15b3, 0x1021}}, "/does/not/exist").empty());
}

TEST(PciIds, CatalogueSpeaksBeforeTheFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "railgauge_pci.ids";
  std::ofstream(path) << sample;
  model::Catalogue catalogue;
  catalogue.pci_names.push_back({{0x15b3, 0x1021}, "ConnectX-7", "test"});
  EXPECT_EQ(*pci_name({0x15b3, 0x1021}, catalogue, path), "ConnectX-7");
  EXPECT_EQ(*pci_name({0x10de, 0x2330}, catalogue, path),
            "NVIDIA Corporation GH100 [H100 SXM5 80GB]");
  const auto unknown = pci_name({1, 2}, catalogue, path);
  EXPECT_FALSE(unknown.known());
  EXPECT_EQ(unknown.why(), "neither the catalogue nor " + path.string() + " knows 0001:0002");
}

}  // namespace
}  // namespace railgauge::observe
