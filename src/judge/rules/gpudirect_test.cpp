#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct Host : Bench {
  Host(const char* kernel, std::optional<bool> open) {
    const auto gpu = machine.add(DeviceKind::gpu, here);
    machine[gpu].name.claim("NVIDIA H100 80GB HBM3", here);
    nic("mlx5_0", "InfiniBand");
    module("nvidia");
    machine.host.kernel.claim(kernel, here);
    if (open) machine.host.open_driver.claim(*open, here);
  }
};

TEST(PeerMemory, MissingWithTheClosedModules) {
  Host b("5.15.0-100-generic", false);
  const Finding finding = b.only("RDM021");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "closed ones"));
  EXPECT_EQ(finding.remedy[0].command, "modprobe nvidia-peermem");
}

TEST(PeerMemory, MissingOnAnOldKernel) {
  Host b("5.4.0-150-generic", true);
  EXPECT_TRUE(says(b.only("RDM021"), "older than 5.12"));
}

TEST(PeerMemory, DmaBufDoesWithoutTheModule) {
  Host b("5.15.0-100-generic", true);
  EXPECT_TRUE(b.passes("RDM021"));
}

TEST(PeerMemory, AnUnknownFlavourIsNotJudged) {
  Host b("5.15.0-100-generic", {});
  EXPECT_TRUE(b.unknown("RDM021"));
}

TEST(PeerMemory, LoadedOrOnEfaNothingIsMissing) {
  Host loaded("5.4.0-150-generic", false);
  loaded.module("nvidia_peermem");
  EXPECT_TRUE(loaded.passes("RDM021"));
  Bench efa;
  efa.machine[efa.machine.add(DeviceKind::gpu, efa.here)].name.claim("NVIDIA A100", efa.here);
  efa.nic("rdmap0s6");
  efa.module("nvidia");
  efa.machine.host.kernel.claim("5.10", efa.here);
  EXPECT_TRUE(efa.silent("RDM021"));
}

TEST(PeerMemory, BrokenSymbolsExplainThatItIsMissing) {
  Host b("5.15.0-100-generic", false);
  b.event(EventKind::peer_memory, EventSeverity::nonfatal,
          "nvidia_peermem: disagrees about version of symbol ib_register_peer_memory_client", 2);
  const CheckReport report = b.check("RDM");
  ASSERT_GE(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "RDM022");
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  ASSERT_EQ(report.findings[0].consequences.size(), 1U);
  EXPECT_EQ(report.findings[0].consequences[0].id, "RDM021");
}

TEST(PeerMemory, BrokenSymbolsAreANoteWhereDmaBufWorks) {
  Host b("6.8.0", true);
  b.event(EventKind::peer_memory, EventSeverity::nonfatal, "nvidia_peermem: Unknown symbol");
  EXPECT_EQ(b.only("RDM022").severity, Severity::note);
}

TEST(PeerMemory, TheOldModuleIsALeftover) {
  Host b("5.15.0", false);
  b.module("nv_peer_mem");
  b.machine.host.driver.claim("535.104.05", b.here);
  EXPECT_EQ(b.only("RDM023").severity, Severity::warning);
  Host old("4.18.0", false);
  old.module("nv_peer_mem");
  old.machine.host.driver.claim("450.80.02", old.here);
  EXPECT_TRUE(old.passes("RDM023"));
}

TEST(PeerMemory, InvalidContextIsInformationUnlessThereAreMany) {
  Bench b;
  b.event(EventKind::peer_memory, EventSeverity::information,
          "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context", 2);
  EXPECT_EQ(b.only("RDM024").severity, Severity::note);
  b.event(EventKind::peer_memory, EventSeverity::information,
          "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context", 5000);
  EXPECT_EQ(b.only("RDM024").severity, Severity::warning);
  Bench quiet;
  quiet.machine.host.kernel_log_lines.claim(10, quiet.here);
  EXPECT_TRUE(quiet.passes("RDM024"));
  EXPECT_TRUE(quiet.passes("RDM022"));
}

}  // namespace
}  // namespace railgauge::judge
