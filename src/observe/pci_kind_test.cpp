#include "observe/pci_kind.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

using model::DeviceKind;

DeviceKind kind(std::uint16_t vendor, std::uint32_t pci_class) {
  model::PciFacts pci;
  pci.id.claim({vendor, 0x1111}, {});
  pci.pci_class.claim({pci_class}, {});
  return endpoint_kind(pci);
}

TEST(PciKind, AcceleratorsAreGpusAndManagementGraphicsAreNot) {
  EXPECT_EQ(kind(0x10de, 0x030200), DeviceKind::gpu);
  EXPECT_EQ(kind(0x1002, 0x120000), DeviceKind::gpu);
  EXPECT_EQ(kind(0x1da3, 0x120000), DeviceKind::gpu);
  EXPECT_EQ(kind(0x8086, 0x038000), DeviceKind::gpu);
  EXPECT_EQ(kind(0x8086, 0x120000), DeviceKind::other);  // a laptop's neural unit
  for (const int vendor : {0x1a03, 0x102b, 0x1013, 0x1234, 0x1af4, 0x1d0f})
    EXPECT_EQ(kind(static_cast<std::uint16_t>(vendor), 0x030000), DeviceKind::other);
}

TEST(PciKind, NvSwitchIsABridgeOfOtherKindMadeByNvidia) {
  EXPECT_EQ(kind(0x10de, 0x068000), DeviceKind::nvswitch);
  EXPECT_EQ(kind(0x8086, 0x068000), DeviceKind::other);
}

TEST(PciKind, NetworkClassesAreNics) {
  EXPECT_EQ(kind(0x15b3, 0x020000), DeviceKind::nic);
  EXPECT_EQ(kind(0x15b3, 0x020700), DeviceKind::nic);
  EXPECT_EQ(kind(0x15b3, 0x0c0600), DeviceKind::nic);
  EXPECT_EQ(kind(0x144d, 0x010802), DeviceKind::nvme);
  EXPECT_EQ(kind(0x15b3, 0x080100), DeviceKind::other);
}

TEST(PciKind, PlaceOfABridgeTellsItsRole) {
  EXPECT_EQ(bridge_kind_by_place(DeviceKind::host_bridge, true, false), DeviceKind::root_port);
  EXPECT_EQ(bridge_kind_by_place(DeviceKind::root_port, true, false), DeviceKind::pcie_switch);
  EXPECT_EQ(bridge_kind_by_place(DeviceKind::root_port, false, false), DeviceKind::pcie_bridge);
  EXPECT_EQ(bridge_kind_by_place(DeviceKind::pcie_switch, false, false), DeviceKind::switch_port);
  EXPECT_EQ(bridge_kind_by_place(DeviceKind::switch_port, true, false), DeviceKind::pcie_switch);
  EXPECT_EQ(bridge_kind_by_place(DeviceKind::host_bridge, false, true), DeviceKind::pcie_bridge);
}

}  // namespace
}  // namespace railgauge::observe
