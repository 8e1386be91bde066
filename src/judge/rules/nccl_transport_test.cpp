#include "judge/rules/nccl_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

DeviceId adapter(NcclCase& c, const char* name) {
  const DeviceId id = c.machine.add(DeviceKind::nic, c.here);
  c.machine[id].id = name;
  c.machine[id].nic->rdma_device.claim(name, c.here);
  NicPort port;
  port.rate.claim(gigabits_per_second(400), c.here);
  c.machine[id].nic->ports.push_back(port);
  return id;
}

TEST(SocketFallback, AnAdapterIsThereAndAVariableSwitchesItOff) {
  NcclCase c;
  c.run().network.claim("Socket", c.here);
  adapter(c, "mlx5_0");
  c.set("NCCL_IB_DISABLE", "1");
  const Finding finding = c.only("NCC001");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.text,
            "NCCL uses sockets although there is mlx5_0: NCCL_IB_DISABLE=1 switches RDMA off");
  EXPECT_EQ(finding.remedy.at(0).command, "unset NCCL_IB_DISABLE");
  EXPECT_DOUBLE_EQ(finding.impact.could->value, 50e9);
}

TEST(SocketFallback, NoAdapterIsBenign) {
  NcclCase c;
  c.run().network.claim("Socket", c.here);
  c.info("NET/IB : No device found.");
  EXPECT_TRUE(c.passes("NCC001"));
}

TEST(SocketFallback, NobodySaysWhetherThereAreAdapters) {
  NcclCase c;
  c.run().network.claim("Socket", c.here);
  EXPECT_TRUE(c.is_unknown("NCC001"));
}

TEST(SocketFallback, OnOneHostItIsANote) {
  NcclCase c;
  c.run().network.claim("Socket", c.here);
  c.rank(0);
  c.rank(1);
  c.set("NCCL_IB_DISABLE", "1");
  EXPECT_EQ(c.only("NCC001").severity, Severity::note);
}

TEST(SocketFallback, PluginOfEfaIsMissing) {
  NcclCase c;
  c.run().network.claim("Socket", c.here);
  c.run().plugins_missing.push_back("libnccl-net.so");
  adapter(c, "rdmap79s0");
  EXPECT_TRUE(holds(c.only("NCC001").text, "drives EFA"));
}

TEST(SocketFallback, AnotherNetworkPasses) {
  NcclCase c;
  c.run().network.claim("IB", c.here);
  EXPECT_TRUE(c.passes("NCC001"));
}

TEST(PeerMemory, DisabledWithoutADistance) {
  NcclCase c;
  c.gdr("IB", false);
  EXPECT_TRUE(holds(c.only("NCC002").text, "not loaded, or loaded and not registered"));
  c.machine.modules.push_back({.name = "nvidia", .source = c.here});
  EXPECT_TRUE(holds(c.only("NCC002").text, "nvidia_peermem is not loaded"));
  c.machine.modules.push_back({.name = "nvidia_peermem", .source = c.here});
  EXPECT_TRUE(holds(c.only("NCC002").text, "loaded and not registered"));
}

TEST(PeerMemory, SocketsNeverCan) {
  NcclCase c;
  c.gdr("Socket", false);
  c.gdr("FastSocket", false);
  c.run().network.claim("Socket", c.here);
  EXPECT_TRUE(c.is_quiet("NCC002"));
  EXPECT_TRUE(c.check("NCC002").findings.empty());
}

TEST(PeerMemory, ChannelsThroughHostMemoryTellToo) {
  NcclCase c;
  c.nic("IB", "mlx5_0", "IB");
  c.way(0, 8, "NET/IB/0");
  EXPECT_EQ(c.only("NCC002").severity, Severity::error);
  c.way(1, 9, "NET/IB/0/GDRDMA");
  EXPECT_TRUE(c.passes("NCC002"));
}

TEST(PeerMemory, ALogThatDoesNotSpeakOfItIsANote) {
  NcclCase c;
  c.nic("IB", "mlx5_0", "IB/SHARP");
  EXPECT_EQ(c.only("NCC002").severity, Severity::note);
  NcclCase opa;
  opa.nic("IB", "hfi1_0", "IB");
  EXPECT_TRUE(holds(opa.only("NCC002").text, "Omni-Path"));
}

TEST(GdrDistance, NumbersAreDecodedWithTheVersion) {
  NcclCase c;
  c.gdr("", false, 7, 4);
  EXPECT_TRUE(holds(c.only("NCC003").text, "7 > 4 is SYS beyond PXB"));
  c.run().version.claim("2.30.7", c.here);
  EXPECT_TRUE(holds(c.only("NCC003").text, "7 > 4 is PXN beyond PIX"));
  EXPECT_TRUE(c.check("NCC002").findings.empty());
}

TEST(GdrDistance, NearPairsPassAndAGuestsAreANote) {
  NcclCase near;
  near.gdr("", true, 3, 4);
  EXPECT_TRUE(near.passes("NCC003"));
  NcclCase guest;
  guest.gdr("", false, 7, 4);
  guest.machine.host.hypervisor.claim("kvm", guest.here);
  EXPECT_EQ(guest.only("NCC003").severity, Severity::note);
}

NcclCase two_gpus(const char* joined, const char* via, const char* name = "NVIDIA H100") {
  NcclCase c;
  c.rank(0);
  c.rank(1);
  const DeviceId a = c.gpu(0, name);
  const DeviceId b = c.gpu(1, name);
  if (joined != nullptr) c.joined(a, b, joined);
  c.way(0, 1, via);
  settle(c.machine, c.catalogue);
  return c;
}

TEST(SharedMemory, NvlinkJoinsTheGpusAndAVariableForbidsIt) {
  NcclCase c = two_gpus("NV12", "SHM/direct/direct");
  c.set("NCCL_P2P_LEVEL", "LOC");
  const Finding finding = c.only("NCC004");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.text,
            "ranks 0 → 1 use shared memory although NV12 joins their GPUs; "
            "NCCL_P2P_LEVEL=LOC forbids P2P");
  EXPECT_EQ(finding.remedy.at(0).command, "unset NCCL_P2P_LEVEL");
}

TEST(SharedMemory, TheDriversRefusalIsNamed) {
  NcclCase c = two_gpus("NV12", "SHM");
  c.machine.pairs.front().p2p_read.claim(P2pStatus::disabled_by_regkey, c.here);
  EXPECT_TRUE(holds(c.only("NCC004").text, "the driver does not allow P2P between them (DR)"));
}

TEST(SharedMemory, ASwitchIsAWarningAndAcrossSocketsItIsRight) {
  EXPECT_EQ(two_gpus("PIX", "SHM/direct/direct").only("NCC004").severity, Severity::warning);
  EXPECT_TRUE(two_gpus("SYS", "SHM/direct/direct").passes("NCC004"));
  EXPECT_TRUE(two_gpus("NV12", "P2P/CUMEM").passes("NCC004"));
  EXPECT_TRUE(two_gpus("PIX", "SHM", "NVIDIA GeForce RTX 4090").passes("NCC004"));
}

TEST(SharedMemory, WithoutATopologyItIsUnknownUnlessAVariableSaysWhy) {
  NcclCase c;
  c.way(0, 1, "direct shared memory");
  EXPECT_TRUE(c.is_unknown("NCC004"));
  c.set("NCCL_P2P_DISABLE", "1");
  EXPECT_TRUE(holds(c.only("NCC004").text, "NCCL_P2P_DISABLE=1"));
}

TEST(SharedMemory, NcclsOwnTopologyIsEnough) {
  NcclCase c;
  c.rank(0).address = PciAddress::parse("0000:26:00.0");
  c.rank(1).address = PciAddress::parse("0000:41:00.0");
  c.run().paths.push_back({.a = *PciAddress::parse("0000:26:00.0"),
                           .b = *PciAddress::parse("0000:41:00.0"),
                           .type = "NVL",
                           .gigabytes_per_second = 240,
                           .source = c.here});
  c.way(0, 1, "SHM/direct/direct");
  EXPECT_TRUE(holds(c.only("NCC004").text, "NVL"));
}

TEST(NetworkInsideANode, NvlinkIsLeftOut) {
  EXPECT_EQ(two_gpus("NV18", "NET/IB/0").only("NCC005").severity, Severity::error);
  EXPECT_TRUE(two_gpus("PIX", "NET/IB/0").passes("NCC005"));
  EXPECT_TRUE(two_gpus("NV18", "P2P/IPC").passes("NCC005"));
}

TEST(NetworkInsideANode, WithoutATopologyItIsUnknown) {
  NcclCase c;
  c.rank(0);
  c.rank(1);
  c.way(0, 1, "NET/IB/0");
  EXPECT_TRUE(c.is_unknown("NCC005"));
}

TEST(RefusedByTheDriver, ConnectedGpusAreAnErrorAndGeforceIsANote) {
  NcclCase c;
  c.warn("graph/paths.cc", "P2P is disabled between connected GPUs 6 and 7. You can repress this");
  EXPECT_EQ(c.only("NCC006").severity, Severity::error);
  c.gpu(0, "NVIDIA GeForce RTX 3090");
  EXPECT_EQ(c.only("NCC006").severity, Severity::note);
  NcclCase pcie;
  pcie.info("P2P not supported between GPU3 and GPU0");
  EXPECT_EQ(pcie.only("NCC006").severity, Severity::note);
  NcclCase quiet;
  quiet.rank(0);
  EXPECT_TRUE(quiet.passes("NCC006"));
}

TEST(MixedAdapters, OneListOfTwoKinds) {
  NcclCase c;
  c.nic("IB", "mlx5_0", "IB", 0);
  c.nic("IB", "mlx5_1", "RoCE", 1);
  EXPECT_TRUE(holds(c.only("NCC015").text, "mlx5_0 (IB), mlx5_1 (RoCE)"));
  c.way(0, 8, "NET/IB/0/GDRDMA");  // the other one is not used
  EXPECT_TRUE(c.passes("NCC015"));
}

TEST(FewChannels, ManyNvlinksAndTwoChannels) {
  NcclCase c;
  const DeviceId gpu = c.gpu(0);
  for (int i = 0; i < 12; ++i) {
    NvLinkPort port;
    port.number = i;
    port.active.claim(true, c.here);
    c.machine[gpu].gpu->nvlinks.push_back(port);
  }
  c.run().channels.claim(2, c.here);
  c.set("NCCL_MAX_NCHANNELS", "2");
  const Finding finding = c.only("NCC024");
  EXPECT_EQ(finding.text, "2 channels over 12 NVLinks: NCCL leaves most of them idle");
  EXPECT_EQ(finding.evidence.at(1).observed, "NCCL_MAX_NCHANNELS=2");
  c.machine[gpu].gpu->nvlinks.resize(2);
  EXPECT_TRUE(c.passes("NCC024"));
  c.machine[gpu].gpu->nvlinks.clear();
  EXPECT_TRUE(c.is_unknown("NCC024"));
}

TEST(VirtualBridges, ANoteUnlessGpudirectIsOnOrOff) {
  NcclCase c;
  c.run().narrowest_pci.claim(0.2, c.here);
  EXPECT_EQ(c.only("NCC028").severity, Severity::note);
  c.run().gdr_used.claim(true, c.here);
  EXPECT_TRUE(c.passes("NCC028"));
  NcclCase off;
  off.run().narrowest_pci.claim(0.2, off.here);
  off.gdr("IB", false);
  EXPECT_EQ(off.only("NCC028").severity, Severity::warning);
}

}  // namespace
}  // namespace railgauge::judge
