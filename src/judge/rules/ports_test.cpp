#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(PortDown, ThePortThatPollsWhileNoOtherWorksIsTheFault) {
  Bench b;
  const auto id = b.nic("mlx5_0", "InfiniBand", "DOWN");
  b.port(id).physical_state.claim("Polling", b.here);
  const Finding finding = b.only("RDM001");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.subject, "mlx5_0 port 1");
  EXPECT_TRUE(says(finding, "polling"));
  EXPECT_TRUE(says(finding, "no RDMA port of this machine is active"));
  EXPECT_EQ(finding.evidence[0].source, "x.txt:7");
}

TEST(PortDown, OneOfFourRailsOfAModelCostsAQuarter) {
  Bench b;
  for (const char* name : {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"}) {
    const auto id = b.nic(name, "InfiniBand", name[5] == '2' ? "DOWN" : "ACTIVE");
    b.machine[id].nic->hca_type.claim("MT4129", b.here);
  }
  const Finding finding = b.only("RDM001");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(says(finding, "3 ports like it are active"));
  EXPECT_DOUBLE_EQ(*finding.impact.lost_fraction, 0.25);
}

TEST(PortDown, ASecondPortOfACardAndAnotherModelAreIdle) {
  Bench b;
  for (int function = 0; function < 2; ++function) {
    const auto id =
        b.nic(function == 0 ? "mlx5_0" : "mlx5_1", "Ethernet", function == 0 ? "ACTIVE" : "DOWN");
    b.machine[id].address.claim({0, 0x18, 0, static_cast<std::uint8_t>(function)}, b.here);
    b.machine[id].nic->hca_type.claim("MT4125", b.here);
  }
  const auto storage = b.nic("mlx5_2", "Ethernet", "DOWN");
  b.machine[storage].nic->hca_type.claim("MT4119", b.here);
  const CheckReport report = b.check("RDM001");
  ASSERT_EQ(report.findings.size(), 2U);
  for (const Finding& finding : report.findings) EXPECT_EQ(finding.severity, Severity::note);
}

TEST(PortDown, GuidsThatWereMadeAlikeTellNoCard) {
  Bench b;
  for (const char* name : {"mlx5_0", "mlx5_1", "mlx5_2"}) {
    const auto id = b.nic(name, "InfiniBand", name[5] == '2' ? "DOWN" : "ACTIVE");
    b.machine[id].nic->hca_type.claim("MT4129", b.here);
    b.machine[id].nic->system_image_guid.claim("0000:0000:0000:0001", b.here);
  }
  EXPECT_EQ(b.only("RDM001").severity, Severity::error);
}

TEST(PortDown, AnActivePortPassesAndOneWithoutStateIsUnknown) {
  Bench b;
  b.nic("mlx5_0");
  EXPECT_TRUE(b.passes("RDM001"));
  const auto id = b.nic("mlx5_1");
  b.port(id).state = {};
  EXPECT_TRUE(b.unknown("RDM001"));
}

DeviceId with_rate(Bench& b, const char* name, double gigabits, const char* words) {
  const auto id = b.nic(name, "InfiniBand");
  b.machine[id].nic->hca_type.claim("MT4129", b.here);
  b.port(id).rate.claim(gigabits_per_second(gigabits), b.here);
  b.port(id).rate_words.claim(words, b.here);
  return id;
}

TEST(PortSlow, APortBelowItsSiblingsOrOnOneLane) {
  Bench b;
  with_rate(b, "mlx5_0", 400, "4X NDR");
  with_rate(b, "mlx5_1", 100, "1X NDR");
  with_rate(b, "mlx5_2", 200, "4X HDR");
  const CheckReport report = b.check("RDM002");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_TRUE(says(report.findings[0], "one lane"));
  EXPECT_DOUBLE_EQ(*report.findings[0].impact.lost_fraction, 0.75);
  EXPECT_DOUBLE_EQ(*report.findings[1].impact.lost_fraction, 0.5);
}

TEST(PortSlow, AnotherModelMayBeSlowerAndAMissingRateIsUnknown) {
  Bench b;
  with_rate(b, "mlx5_0", 400, "4X NDR");
  const auto storage = b.nic("mlx5_1");
  b.machine[storage].nic->hca_type.claim("MT4125", b.here);
  b.port(storage).rate.claim(gigabits_per_second(100), b.here);
  EXPECT_TRUE(b.passes("RDM002"));
  b.nic("mlx5_2");
  EXPECT_TRUE(b.unknown("RDM002"));
}

TEST(RdmaMtu, RoceOver1500UsesAQuarterOfThePacket) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.port(id).active_mtu_bytes.claim(1024, b.here);
  b.port(id).max_mtu_bytes.claim(4096, b.here);
  const Finding finding = b.only("RDM003");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "MTU is 1500"));
  EXPECT_NEAR(*finding.impact.lost_fraction, 0.056, 0.005);
}

TEST(RdmaMtu, AnInterfaceOf4096LeavesHalf) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.port(id).mtu.claim(4096, b.here);
  b.port(id).active_mtu_bytes.claim(2048, b.here);
  EXPECT_TRUE(says(b.only("RDM003"), "MTU is 4096, and 4096 needs 4200"));
}

TEST(RdmaMtu, ACloudsEthernetFunctionBesideInfiniBandIsANote) {
  Bench b;
  const auto id = b.nic("mlx5_1");
  b.port(id).active_mtu_bytes.claim(1024, b.here);
  const auto fast = b.nic("mlx5_0", "InfiniBand");
  b.port(fast).active_mtu_bytes.claim(4096, b.here);
  EXPECT_EQ(b.only("RDM003").severity, Severity::note);
}

TEST(RdmaMtu, FullMtuPassesAndADownPortIsNotAsked) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.port(id).active_mtu_bytes.claim(4096, b.here);
  const auto down = b.nic("mlx5_1", "Ethernet", "DOWN");
  b.port(down).active_mtu_bytes.claim(1024, b.here);
  EXPECT_TRUE(b.passes("RDM003"));
}

TEST(RdmaMtu, PortsOfOneModelThatDiffer) {
  Bench b;
  for (const auto& [name, mtu] : {std::pair("mlx5_0", 4096), std::pair("mlx5_1", 1024)}) {
    const auto id = b.nic(name);
    b.machine[id].nic->hca_type.claim("MT4129", b.here);
    b.port(id).active_mtu_bytes.claim(mtu, b.here);
  }
  EXPECT_TRUE(says(b.only("RDM004"), "1024"));
  Bench other;
  for (const char* name : {"mlx5_0", "mlx5_1"})
    other.port(other.nic(name)).active_mtu_bytes.claim(4096, other.here);
  EXPECT_TRUE(other.passes("RDM004"));
}

DeviceId with_firmware(Bench& b, const char* name, const char* board, const char* version) {
  const auto id = b.nic(name, "InfiniBand");
  b.machine[id].nic->hca_type.claim("MT4129", b.here);
  b.machine[id].nic->board_id.claim(board, b.here);
  b.machine[id].nic->firmware.claim(version, b.here);
  return id;
}

TEST(FirmwareMixed, TheOddCardOfAModelIsNamed) {
  Bench b;
  with_firmware(b, "mlx5_0", "MT_0000000838", "28.41.1000");
  with_firmware(b, "mlx5_1", "MT_0000000838", "28.41.1000");
  with_firmware(b, "mlx5_2", "MT_0000000838", "28.36.1010");
  const Finding finding = b.only("RDM018");
  EXPECT_EQ(finding.subject, "mlx5_2");
  EXPECT_TRUE(says(finding, "28.36.1010"));
}

TEST(FirmwareMixed, AnotherBoardMayHaveAnother) {
  Bench b;
  with_firmware(b, "mlx5_0", "MT_0000000838", "28.41.1000");
  with_firmware(b, "mlx5_1", "DEL0000000036", "28.36.1010");
  EXPECT_TRUE(b.passes("RDM018"));
}

TEST(LinkLayers, EthernetBesideInfiniBandAsksForAChoice) {
  Bench b;
  b.nic("mlx5_0", "InfiniBand");
  b.nic("mlx5_1", "Ethernet");
  const Finding finding = b.only("RDM019");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.subject, "mlx5_1");
  EXPECT_EQ(finding.remedy[0].command, "export NCCL_IB_HCA==mlx5_0");
}

TEST(LinkLayers, AChoiceByVariableOrByDistanceIsOne) {
  Bench chosen;
  chosen.nic("mlx5_0", "InfiniBand");
  chosen.nic("mlx5_1", "Ethernet");
  chosen.variable("NCCL_IB_HCA", "=mlx5_0");
  EXPECT_TRUE(chosen.passes("RDM019"));

  Bench near;
  const auto fast = near.nic("mlx5_0", "InfiniBand");
  const auto storage = near.nic("mlx5_1", "Ethernet");
  const auto gpu = near.machine.add(DeviceKind::gpu, near.here);
  near.t.cell(gpu, fast, "PIX");
  near.t.cell(gpu, storage, "SYS");
  EXPECT_EQ(near.only("RDM019").severity, Severity::note);
}

TEST(LinkLayers, OneBondBesideEightRailsIsANote) {
  Bench b;
  for (int i = 0; i < 8; ++i) b.nic(("mlx5_" + std::to_string(i)).c_str(), "InfiniBand");
  b.nic("mlx5_bond_0", "Ethernet");
  EXPECT_EQ(b.only("RDM019").severity, Severity::note);
}

TEST(SubnetManager, APortThatStaysInInitHasNone) {
  Bench b;
  b.nic("mlx5_0", "InfiniBand", "INIT");
  EXPECT_EQ(b.only("RDM020").severity, Severity::error);
  Bench healthy;
  healthy.nic("mlx5_0", "InfiniBand");
  EXPECT_TRUE(healthy.passes("RDM020"));
}

TEST(Netdev, MtuOf1500OnRoceIsAWarningAndOnPlainEthernetANote) {
  Bench b;
  b.port(b.nic("mlx5_0")).mtu.claim(1500, b.here);
  EXPECT_EQ(b.only("NET008").severity, Severity::warning);
  Bench plain;
  const auto id = plain.machine.add(DeviceKind::nic, plain.here);
  plain.machine[id].nic->ports.emplace_back();
  plain.port(id).link_layer.claim("Ethernet", plain.here);
  plain.port(id).rate.claim(gigabits_per_second(100), plain.here);
  plain.port(id).mtu.claim(1500, plain.here);
  EXPECT_EQ(plain.only("NET008").severity, Severity::note);
  Bench jumbo;
  jumbo.port(jumbo.nic("mlx5_0")).mtu.claim(9000, jumbo.here);
  EXPECT_TRUE(jumbo.passes("NET008"));
}

TEST(GlobalPause, AFifthOfTheTimeIsAFaultAndTheDefaultIsANote) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.port(id).pause_rx.claim("on", b.here);
  EXPECT_EQ(b.only("NET009").severity, Severity::note);
  b.count(id, {{"rx_global_pause_frames", 5}, {"rx_global_pause_duration_us", 1000}});
  b.later(id, "rx_global_pause_duration_us", 2'171'000);
  const Finding finding = b.only("NET009");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_NEAR(*finding.impact.lost_fraction, 0.217, 1e-9);
}

TEST(GlobalPause, OffWithoutFramesPasses) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.port(id).pause_rx.claim("off", b.here);
  b.port(id).pause_tx.claim("off", b.here);
  EXPECT_TRUE(b.passes("NET009"));
}

TEST(Netdev, AnInterfaceThatIsDownTakesTheGidsAway) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.port(id).netdev_state.claim("down", b.here);
  EXPECT_EQ(b.only("NET010").severity, Severity::warning);
  Bench up;
  up.port(up.nic("mlx5_0")).netdev_state.claim("up", up.here);
  EXPECT_TRUE(up.passes("NET010"));
}

TEST(WithoutRdma, AConnectXWhoseModuleIsNotLoaded) {
  Bench b;
  const auto id = b.machine.add(DeviceKind::nic, b.here);
  b.machine[id].pci.emplace().id.claim({0x15b3, 0x1021}, b.here);
  b.module("mlx5_core");
  EXPECT_EQ(b.only("RDM028").severity, Severity::warning);
  b.module("mlx5_ib");
  EXPECT_TRUE(b.silent("RDM028"));
}

TEST(LinkFlapping, TwiceIsANoteAndOftenIsAFault) {
  Bench b;
  b.event(EventKind::nic, EventSeverity::nonfatal, "mlx5_core 0000:18:00.0 eth0: Link down", 2);
  EXPECT_EQ(b.only("RDM027").severity, Severity::note);
  b.event(EventKind::nic, EventSeverity::nonfatal, "mlx5_core 0000:18:00.0 eth0: Link down", 3);
  EXPECT_EQ(b.only("RDM027").severity, Severity::warning);
  EXPECT_TRUE(b.silent("RDM026"));
}

TEST(NicEvent, HealthCompromisedStopsTheAdapter) {
  Bench b;
  b.event(EventKind::nic, EventSeverity::nonfatal, "mlx5_core 0000:18:00.0: wait_func timeout");
  b.event(EventKind::nic, EventSeverity::fatal, "mlx5_core 0000:18:00.0: health compromised");
  const Finding finding = b.only("RDM026");  // one for the adapter
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(says(finding, "health compromised (2 messages)"));
  Bench quiet;
  quiet.event(EventKind::nic, EventSeverity::information, "mlx5_core 0000:18:00.0: Link up");
  EXPECT_TRUE(quiet.passes("RDM026"));
  EXPECT_TRUE(quiet.passes("RDM027"));
}

}  // namespace
}  // namespace railgauge::judge
