#include "observe/lspci/lspci.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;
using model::PciAddress;

Machine read(const std::string& text) {
  EXPECT_TRUE(looks_like_lspci(text));
  auto machine = read_lspci({"lspci.txt", text});
  EXPECT_TRUE(machine.has_value()) << (machine ? "" : machine.error().text());
  return machine ? std::move(*machine) : Machine{};
}

const model::Device& at(const Machine& machine, const char* address) {
  return machine[*machine.at(*PciAddress::parse(address))];
}

const std::string tree =
    "16:01.0 PCI bridge: Intel Corporation Device 352a (rev 04) (prog-if 00 [Normal decode])\n"
    "\tNUMA node: 0\n\tIOMMU group: 7\n\tBus: primary=16, secondary=17, subordinate=1a, "
    "sec-latency=0\n"
    "\tCapabilities: [40] Express (v2) Root Port (Slot-), MSI 00\n"
    "17:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0)\n"
    "\tBus: primary=17, secondary=18, subordinate=1a, sec-latency=0\n"
    "\tCapabilities: [68] Express (v2) Upstream Port, IntMsgNum 0\n"
    "18:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0)\n"
    "\tPhysical Slot: 40\n\tBus: primary=18, secondary=19, subordinate=19, sec-latency=0\n"
    "\tCapabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM L1, Exit Latency L1 <4us\n"
    "\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x8 (downgraded)\n"
    "\tCapabilities: [200 v1] Access Control Services\n"
    "\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-\n"
    "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-\n"
    "19:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n"
    "\tSubsystem: NVIDIA Corporation Device [10de:16c1]\n"
    "\tCapabilities: [40] Power Management version 3\n\t\tStatus: D3 NoSoftRst+ PME-Enable-\n"
    "\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n"
    "\t\tDevCap:\tMaxPayload 512 bytes, PhantFunc 0\n"
    "\t\tDevCtl:\tCorrErr+ NonFatalErr+\n\t\t\tRlxdOrd+ ExtTag+ PhantFunc-\n"
    "\t\t\tMaxPayload 256 bytes, MaxReadReq 4096 bytes\n\t\tDevSta:\tCorrErr+ NonFatalErr- "
    "FatalErr-\n"
    "\t\tLnkCtl:\tASPM L0s L1 Enabled; RCB 64 bytes\n"
    "\tCapabilities: [100 v1] Advanced Error Reporting\n"
    "\t\tUESta:\tDLP- SDES+ TLP-\n\t\tCESta:\tRxErr+ BadTLP- Timeout+\n"
    "\tCapabilities: [180 v1] Single Root I/O Virtualization (SR-IOV)\n"
    "\t\tInitial VFs: 20, Total VFs: 20, Number of VFs: 4, Function Dependency Link: 00\n"
    "\tKernel driver in use: nvidia\n\tKernel modules: nouveau, nvidia\n";

TEST(Lspci, TheTreeFollowsTheBusNumbers) {
  const Machine m = read(tree);
  EXPECT_TRUE(m.remarks.empty());
  EXPECT_EQ(at(m, "16:01.0").kind, DeviceKind::root_port);
  EXPECT_EQ(at(m, "17:00.0").kind, DeviceKind::pcie_switch);
  EXPECT_EQ(at(m, "18:00.0").kind, DeviceKind::switch_port);
  EXPECT_EQ(at(m, "19:00.0").kind, DeviceKind::gpu);
  EXPECT_EQ(ancestry(m, *m.at(*PciAddress::parse("19:00.0"))).size(), 4u);
  EXPECT_EQ(m.sources.text(at(m, "19:00.0").parent_source), "lspci.txt:11");
}

TEST(Lspci, EveryPropertyWeUseIsRead) {
  const Machine m = read(tree);
  const auto& port = *at(m, "18:00.0").pci;
  EXPECT_EQ(port.link.max_speed->generation(), 5);
  EXPECT_EQ(port.link.current_speed->generation(), 4);
  EXPECT_EQ(*port.link.max_width, 16);
  EXPECT_EQ(*port.link.current_width, 8);
  EXPECT_EQ(*port.slot, "40");
  EXPECT_TRUE(port.acs->request_redirect);
  EXPECT_FALSE(port.acs->completion_redirect);
  EXPECT_EQ(*at(m, "16:01.0").numa_node, 0);
  EXPECT_EQ(*at(m, "16:01.0").pci->iommu_group, 7);
  const auto& gpu = *at(m, "19:00.0").pci;
  EXPECT_EQ(*gpu.id, (model::PciId{0x10de, 0x2330}));
  EXPECT_EQ(*gpu.subsystem, (model::PciId{0x10de, 0x16c1}));
  EXPECT_EQ(gpu.pci_class->code, 0x030200u);
  EXPECT_EQ(*gpu.revision, 0xa1);
  EXPECT_EQ(*gpu.power_state, "D3hot");
  EXPECT_EQ(*gpu.max_payload_bytes, 256);
  EXPECT_EQ(*gpu.max_read_request_bytes, 4096);
  EXPECT_TRUE(*gpu.relaxed_ordering);
  EXPECT_EQ(*gpu.aspm, model::Aspm::l0s_l1);
  EXPECT_EQ(*gpu.sriov_total_vfs, 20);
  EXPECT_EQ(*gpu.sriov_active_vfs, 4);
  EXPECT_EQ(*gpu.driver, "nvidia");
  std::string attributes;
  for (const auto& a : at(m, "19:00.0").attributes) attributes += a.key + "=" + a.value + "; ";
  EXPECT_EQ(attributes,
            "DevSta=CorrErr; UESta=SDES; CESta=RxErr Timeout; kernel_modules=nouveau, nvidia; ");
}

TEST(Lspci, DevicesAreTheSameWithIdsDomainsAndNumbers) {
  const Machine m = read(
      "0001:19:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] "
      "(rev a1)\n"
      "0001:1a:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] "
      "[15b3:1021]\n"
      "0001:1b:00.0 Bridge [0680]: NVIDIA Corporation GH100 [H100 NVSwitch] [10de:22a3] (rev a1)\n"
      "0001:1c:00.0 Processing accelerators [1200]: Advanced Micro Devices, Inc. [AMD/ATI] Device "
      "[1002:74a1]\n"
      "0001:1d:00.0 0108: 144d:a824 (prog-if 02)\n"
      "0001:1e:00.0 VGA compatible controller [0300]: ASPEED Technology, Inc. ASPEED "
      "[1a03:2000]\n");
  EXPECT_TRUE(m.remarks.empty());
  EXPECT_EQ(at(m, "0001:19:00.0").kind, DeviceKind::gpu);
  EXPECT_EQ(*at(m, "0001:19:00.0").name, "NVIDIA Corporation GH100 [H100 SXM5 80GB]");
  EXPECT_EQ(at(m, "0001:1a:00.0").kind, DeviceKind::nic);
  EXPECT_EQ(at(m, "0001:1b:00.0").kind, DeviceKind::nvswitch);
  EXPECT_EQ(at(m, "0001:1c:00.0").kind, DeviceKind::gpu);
  EXPECT_EQ(at(m, "0001:1d:00.0").kind, DeviceKind::nvme);
  EXPECT_EQ(at(m, "0001:1d:00.0").pci->pci_class->code, 0x010802u);
  EXPECT_EQ(at(m, "0001:1e:00.0").kind, DeviceKind::other);
}

TEST(Lspci, AnExcerptOfThreeLinesIsEnough) {
  const Machine m = read(
      "0a:00.0 VGA compatible controller: NVIDIA Corporation GA102 [GeForce RTX 3080] (rev a1)\n"
      "\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM L0s L1\n"
      "\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x4 (downgraded)\n");
  EXPECT_TRUE(m.remarks.empty());
  EXPECT_EQ(m.devices[0].kind, DeviceKind::gpu);
  EXPECT_EQ(*m.devices[0].pci->link.current_width, 4);
}

TEST(Lspci, HiddenCapabilitiesSayThatRootIsNeeded) {
  const Machine m = read(
      "01:00.0 VGA compatible controller: NVIDIA Corporation GB202 (rev a1)\n"
      "\tCapabilities: <access denied>\n");
  EXPECT_EQ(m.devices[0].pci->link.current_width.reading().why(),
            "needs root: rerun lspci as root");
  EXPECT_TRUE(m.devices[0].pci->acs.reading().is_failed());
}

TEST(Lspci, UnknownSpeedAndWidthZeroAreNoNumbers) {
  const Machine m = read(
      "01:00.0 3D controller: NVIDIA Corporation Device 2330\n\tLnkSta:\tSpeed unknown, Width x16, "
      "TrErr-\n"
      "02:00.0 PCI bridge: Intel Corporation Device 352a\n\tLnkSta:\tSpeed 2.5GT/s (downgraded), "
      "Width x0 (downgraded)\n");
  EXPECT_EQ(m.devices[0].pci->link.current_speed.reading().why(), "lspci says speed \"unknown\"");
  EXPECT_EQ(*m.devices[0].pci->link.current_width, 16);
  EXPECT_EQ(m.devices[1].pci->link.current_width.reading().why(), "the link is down: width x0");
}

TEST(Lspci, BareAcsLinesNameWhatIsMissing) {
  const std::string text =
      "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd-\n"
      "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+\n";
  EXPECT_TRUE(looks_like_lspci(text));
  const auto result = read_lspci({"acs.txt", text});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message,
            "acs.txt:1: 2 ACSCtl lines (1 of them redirect peer traffic) without the devices they "
            "belong to; paste lspci -vvv without grep");
}

TEST(Lspci, LinesThatDoNotParseAreSaidWithTheirDevice) {
  const Machine m = read(
      "01:00.0 3D controller: NVIDIA Corporation Device 2330\n\tLnkSta:\tSpeed 8GT\n"
      "02:00.0 Flux capacitor: Nobody Device\n");
  ASSERT_EQ(m.remarks.size(), 2u);
  EXPECT_EQ(m.remarks[0].source.line, 2u);
  EXPECT_TRUE(contains(m.remarks[0].text, "0000:01:00.0: LnkSta: expected"));
  EXPECT_TRUE(contains(m.remarks[1].text, "class \"Flux capacitor\" is not one we know"));
}

TEST(Lspci, OtherTextsAreNotOurs) {
  for (const char* text : {"", "01:00.0", "2024-01-01 10:00:00.1 error: x",
                           "pcieport 0000:5d:00.0: AER: Corrected error"}) {
    EXPECT_FALSE(looks_like_lspci(text)) << text;
    EXPECT_FALSE(read_lspci({"x", text}).has_value());
  }
}

}  // namespace
}  // namespace railgauge::observe
