#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(PfcStorm, TheShareOfTimeBetweenTwoSamplesDecides) {
  Bench b;
  const auto id = b.counters(
      {{"tx_pause_frames_priority_3", 1000}, {"tx_pause_duration_us_priority_3", 5'000'000}});
  b.later(id, "tx_pause_duration_us_priority_3", 6'000'000);  // 1 s of 10
  const Finding finding = b.only("RDM010");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "pauses its senders on priority 3 10 % of the time"));
  EXPECT_NEAR(*finding.impact.lost_fraction, 0.1, 1e-9);
}

TEST(PfcStorm, ReceivedPausesAreTheNetworksAndMuchIsAnError) {
  Bench b;
  const auto id = b.counters({{"rx_pause_duration_us_priority_3", 0}});
  b.later(id, "rx_pause_duration_us_priority_3", 4'000'000);
  const Finding finding = b.only("RDM010");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(says(finding, "the network pauses this host"));
}

TEST(PfcStorm, ManyMorePausesSentThanReceivedAreASlowReceiver) {
  Bench b;
  b.counters({{"rx_packets_priority_3", 20'000'000'000},
              {"rx_pause_frames_priority_3", 40'000},
              {"tx_pause_frames_priority_3", 1'300'000}});
  EXPECT_EQ(b.only("RDM010").severity, Severity::warning);
}

TEST(PfcStorm, ManyMorePausesReceivedAreTheNetworks) {
  Bench b;
  b.counters({{"tx_packets_priority_3", 20'000'000'000},
              {"rx_pause_frames_priority_3", 1'300'000},
              {"tx_pause_frames_priority_3", 12}});
  EXPECT_TRUE(says(b.only("RDM010"),
                   "the network pauses this host on priority 3: 12 pause frames "
                   "sent, 1300000 received"));
}

TEST(PfcStorm, LargeCountersOfAnOldPortAreUnknownWithoutATime) {
  Bench b;
  b.counters({{"rx_packets_priority_3", 900'000'000'000},
              {"rx_pause_frames_priority_3", 2'000'000},
              {"tx_pause_frames_priority_3", 1'300'000}});
  EXPECT_TRUE(b.unknown("RDM010"));
}

TEST(PfcStorm, FewPausesAndQuietSamplesPass) {
  Bench b;
  const auto id = b.counters({{"tx_pause_frames_priority_3", 2847},
                              {"rx_pause_frames_priority_3", 1523},
                              {"tx_pause_duration_us_priority_3", 91'104}});
  EXPECT_TRUE(b.passes("RDM010"));
  b.later(id, "tx_pause_duration_us_priority_3", 91'200);
  EXPECT_TRUE(b.passes("RDM010"));
}

TEST(PfcStorm, TheUptimeGivesAShareToo) {
  Bench b;
  b.counters({{"tx_pause_duration_us_priority_3", 100'000'000}});
  b.machine.host.uptime_seconds.claim(1000, b.here);
  EXPECT_TRUE(says(b.only("RDM010"), "10 % of the time since the start"));
}

TEST(RoceOnPriority0, RdmaTrafficThatIsNotInAnotherClass) {
  Bench b;
  b.counters({{"rx_bytes_priority_0", 5'000'000'000},
              {"rx_bytes_priority_3", 0},
              {"rx_rdma_bytes", 4'900'000'000}});
  const Finding finding = b.only("RDM011");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "RoCE runs in priority 0"));
}

TEST(RoceOnPriority0, ALossyFabricThatLosesNothingIsANote) {
  Bench b;
  b.counters({{"rx_bytes_priority_0", 5'000'000'000},
              {"rx_rdma_bytes", 4'900'000'000},
              {"local_ack_timeouts", 0},
              {"packet_sequence_errors", 0}});
  EXPECT_EQ(b.only("RDM011").severity, Severity::note);
}

TEST(RoceOnPriority0, PlainEthernetIsHealthy) {
  Bench b;
  b.counters(
      {{"rx_bytes_priority_0", 2'200'000'000'000}, {"rx_rdma_bytes", 0}, {"tx_rdma_bytes", 0}});
  EXPECT_TRUE(b.passes("RDM011"));
}

TEST(RoceOnPriority0, AnExcerptOfOnePriorityWithMuchTraffic) {
  Bench b;
  b.counters(
      {{"rx_bytes_priority_0", 88'000'000'000'000}, {"tx_bytes_priority_0", 14'000'000'000'000}});
  EXPECT_TRUE(says(b.only("RDM011"), "if the port carries any"));
  Bench little;
  little.counters({{"rx_bytes_priority_0", 1'000'000'000}});
  EXPECT_TRUE(little.passes("RDM011"));
}

TEST(RoceOnPriority0, TrafficInItsClassPasses) {
  Bench b;
  b.counters({{"rx_bytes_priority_0", 1'000'000},
              {"rx_bytes_priority_3", 5'000'000'000},
              {"rx_rdma_bytes", 4'900'000'000}});
  EXPECT_TRUE(b.passes("RDM011"));
}

TEST(RoceOnPriority0, PausesOnPriority0AloneStopEverything) {
  Bench b;
  b.counters({{"rx_pause_frames_priority_0", 80}, {"tx_pause_frames_priority_0", 12'667}});
  EXPECT_TRUE(says(b.only("RDM011"), "priority 0 is paused"));
  EXPECT_TRUE(b.silent("RDM010"));
}

TEST(Discards, NoBufferInAnExcerptAndPerSecond) {
  Bench b;
  b.counters({{"rx_discards_no_buffer", 746'308}, {"rx_discards_phy", 0}});
  EXPECT_EQ(b.only("RDM012").severity, Severity::warning);
  Bench grows;
  const auto id = grows.counters({{"rx_discards_no_buffer", 5}});
  grows.later(id, "rx_discards_no_buffer", 1005);
  EXPECT_TRUE(says(grows.only("RDM012"), "100 packets a second"));
}

TEST(Discards, OldOnesThatDoNotGrowAndRingsOfTcpAreExcused) {
  Bench old;
  const auto id = old.counters({{"rx_discards_no_buffer", 746'308}});
  old.later(id, "rx_discards_no_buffer", 746'308);
  EXPECT_TRUE(old.passes("RDM012"));
  Bench tcp;
  tcp.counters({{"rx_discards_no_buffer", 655'430'134}, {"rx_packets", 3'000'000'000}});
  EXPECT_EQ(tcp.only("RDM012").severity, Severity::note);
  Bench few;
  few.counters({{"rx_discards_no_buffer", 12}});
  EXPECT_TRUE(few.passes("RDM012"));
}

TEST(Retransmissions, TimeoutsOfAcknowledgementsAreLoss) {
  Bench b;
  b.counters({{"local_ack_timeouts", 2705}, {"congestion_notifications_sent", 1333}});
  const Finding finding = b.only("RDM013");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "2705 times"));
  EXPECT_EQ(b.only("RDM014").severity, Severity::note);
}

TEST(Retransmissions, ReorderingAndRetransmissionsOfEfaAreNotes) {
  Bench b;
  b.counters({{"out_of_sequence", 5'000'000}, {"retransmitted_packets", 9'000'000}});
  const CheckReport report = b.check("RDM013");
  ASSERT_EQ(report.findings.size(), 2U);
  for (const Finding& finding : report.findings) EXPECT_EQ(finding.severity, Severity::note);
}

TEST(Retransmissions, OldTimeoutsAndNonePass) {
  Bench b;
  const auto id = b.counters({{"local_ack_timeouts", 2705}});
  b.later(id, "local_ack_timeouts", 2705);
  EXPECT_TRUE(b.passes("RDM013"));
  Bench none;
  none.counters({{"local_ack_timeouts", 0}, {"congestion_notifications_sent", 0}});
  EXPECT_TRUE(none.passes("RDM013"));
  EXPECT_TRUE(none.passes("RDM014"));
}

TEST(SymbolErrors, ABadLinkBetweenSwitches) {
  Bench b;
  b.counters({{"link_downed", 25},
              {"port_receive_errors", 26},
              {"transmit_discards", 2846},
              {"transmit_wait", 14'681'376'621}});
  const Finding finding = b.only("RDM016");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "26 receive errors"));
  EXPECT_TRUE(says(finding, "link went down 25 times"));
  EXPECT_EQ(b.only("RDM025").severity, Severity::note);
  // Together the waiting is a consequence.
  const CheckReport both = b.check("RDM");
  ASSERT_EQ(both.findings.size(), 1U);
  EXPECT_EQ(both.findings[0].id, "RDM016");
}

TEST(SymbolErrors, AFewInHundredsOfThousandMillionsOfPacketsPass) {
  Bench b;
  b.counters({{"port_receive_errors", 14},
              {"port_receive_packets", 317'548'853'677},
              {"link_downed", 255},
              {"transmit_wait", 2'489'603'687},
              {"port_transmit_bytes", 921'770'677'727'356}});
  EXPECT_TRUE(b.passes("RDM016"));
  EXPECT_TRUE(b.passes("RDM025"));
}

TEST(SymbolErrors, GrowthIsAFaultAndOldOnesAreNot) {
  Bench b;
  const auto id = b.counters({{"symbol_errors", 5}});
  b.later(id, "symbol_errors", 9);
  EXPECT_EQ(b.only("RDM016").severity, Severity::warning);
  Bench old;
  const auto same = old.counters({{"symbol_errors", 5000}});
  old.later(same, "symbol_errors", 5000);
  EXPECT_TRUE(old.passes("RDM016"));
}

TEST(PcieStall, SecondsThatGrowExplainTheDiscards) {
  Bench b;
  const auto id = b.counters({{"pcie_write_stall_seconds", 5}, {"rx_discards_phy", 1}});
  b.later(id, "pcie_write_stall_seconds", 9);
  b.later(id, "rx_discards_phy", 5001);
  const CheckReport report = b.check("RDM");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "RDM029");
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  ASSERT_EQ(report.findings[0].consequences.size(), 1U);
  EXPECT_EQ(report.findings[0].consequences[0].id, "RDM012");
}

TEST(PcieStall, OldSecondsAreANoteAndNonePass) {
  Bench old;
  old.counters({{"pcie_read_stall_seconds", 500}});
  EXPECT_EQ(old.only("RDM029").severity, Severity::note);
  Bench none;
  none.counters({{"pcie_read_stall_seconds", 0}});
  EXPECT_TRUE(none.passes("RDM029"));
}

TEST(TrafficClass, NcclAndUcxInDifferentPriorities) {
  Bench b;
  b.variable("NCCL_DEBUG", "INFO");
  b.variable("UCX_IB_TRAFFIC_CLASS", "106");
  EXPECT_TRUE(says(b.only("RDM015"), "NCCL sends with traffic class 0 (priority 0)"));
  b.variable("NCCL_IB_TC", "106");
  EXPECT_TRUE(b.passes("RDM015"));
}

TEST(TrafficClass, AgainstThePriorityThatIsPaused) {
  Bench b;
  b.counters({{"rx_pause_frames_priority_3", 900}, {"rx_rdma_bytes", 1000}});
  b.variable("NCCL_DEBUG", "INFO");
  const Finding finding = b.only("RDM015");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_EQ(finding.remedy[0].command, "export NCCL_IB_TC=106");
  b.variable("NCCL_IB_TC", "106");
  EXPECT_TRUE(b.passes("RDM015"));
}

TEST(TrafficClass, WithoutAnEnvironmentItIsNotChecked) {
  Bench b;
  b.counters({{"rx_pause_frames_priority_3", 900}});
  EXPECT_TRUE(b.unknown("RDM015"));
}

}  // namespace
}  // namespace railgauge::judge
