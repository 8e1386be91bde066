#include "judge/rules/nccl_masks.h"
#include "judge/rules/nccl_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(CpuMasks, MasksAndLists) {
  EXPECT_EQ(cpus_of_mask("ffff,ffffffff")->count(), 48U);
  EXPECT_TRUE(cpus_of_mask("1,00000000")->test(32));
  EXPECT_FALSE(cpus_of_mask(""));
  EXPECT_FALSE(cpus_of_mask("ff,xyz"));
  EXPECT_FALSE(cpus_of_mask("123456789"));
  EXPECT_EQ(cpus_of_list("0-47,96-143")->count(), 96U);
  EXPECT_FALSE(cpus_of_list("0-99999999999"));
}

TEST(DuplicateGpu, NcclsOwnWords) {
  NcclCase c;
  c.warn("init.cc", "Duplicate GPU detected : rank 2 and rank 0 both on CUDA device 1000");
  const Finding finding = c.only("NCC007");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(holds(finding.remedy.at(0).command, "LOCAL_RANK"));
  NcclCase quiet;
  quiet.rank(0);
  EXPECT_TRUE(quiet.passes("NCC007"));
}

TEST(RankMask, TwoStartsOfOneGpuDiffer) {
  NcclCase c;
  c.rank(0).affinity = "ff";
  c.run().ranks[0].other_affinities = {"ffffff"};
  EXPECT_TRUE(holds(c.only("NCC016").text, "8 CPUs in one start and 24 in another"));
}

TEST(RankMask, AgainstTheCpusNearTheGpu) {
  NcclCase c;
  const DeviceId gpu = c.gpu(0);
  c.machine[gpu].gpu->cpu_affinity.claim("0-47", c.here);
  c.rank(0).affinity = "ff";
  EXPECT_EQ(c.only("NCC016").text, "rank 0 may use 8 of the 48 CPUs near its GPU");
  c.run().ranks[0].affinity = "ffffff";
  EXPECT_EQ(c.only("NCC016").severity, Severity::note);
  c.run().ranks[0].affinity = "ffff,ffffffff";
  EXPECT_TRUE(c.passes("NCC016"));
  c.run().ranks[0].affinity = "ffff0000,00000000";
  EXPECT_TRUE(holds(c.only("NCC016").text, "none of them near its GPU"));
}

TEST(RankMask, EachRankHasItsOwnFewCores) {
  NcclCase c;
  const char* masks[] = {"ff",          "ff00",          "ff0000",          "ff000000",
                         "ff,00000000", "ff00,00000000", "ff0000,00000000", "ff000000,00000000"};
  for (int i = 0; i < 8; ++i) c.rank(i).affinity = masks[i];
  EXPECT_TRUE(holds(c.only("NCC016").text, "each of 8 ranks has its own 8 CPUs"));
}

TEST(RankMask, WholeSocketsAreHealthy) {
  NcclCase c;
  c.rank(0).affinity = "ffffff,ffffffff,ffffffff";
  c.rank(1).affinity = "ffff,ffffffff,ffffffff,ff000000,00000000,00000000";
  EXPECT_TRUE(c.passes("NCC016"));
}

TEST(VersionsMixed, RanksOfOneJob) {
  NcclCase c;
  c.rank(0, "n1").version = "2.28.9";
  c.rank(1, "n2").version = "2.27.3";
  EXPECT_EQ(c.only("NCC017").text,
            "ranks have different versions of NCCL: 2.27.3 (n2, 1 rank), 2.28.9 (n1, 1 rank)");
}

TEST(VersionsMixed, OneVersionPassesAndTwoJobsAreUnknown) {
  NcclCase c;
  c.rank(0).version = "2.28.9";
  c.run().version.claim("2.28.9", c.here);
  EXPECT_TRUE(c.passes("NCC017"));
  c.rank(0).version = "2.27.3";
  EXPECT_TRUE(c.is_unknown("NCC017"));
}

TEST(VersionsMixed, OneLogPerRank) {
  NcclCase c;
  c.rank(0, "n1").version = "2.28.9";
  c.run().version.claim("2.28.9", c.here);
  NcclRun other;
  other.name = "other.log";
  other.version.claim("2.27.3", c.here);
  other.ranks.push_back({.rank = 1, .ranks = 2, .host = "n2", .version = "2.27.3"});
  c.machine.nccl_runs.push_back(other);
  EXPECT_TRUE(holds(c.only("NCC017").text, "2.28.9 (job.log), 2.27.3 (other.log)"));
  c.machine.nccl_runs[1].ranks[0].rank = 0;  // another job, or the same one again
  EXPECT_TRUE(c.passes("NCC017"));
}

TEST(VersionsMixed, VersionsWithoutRanksAreUnknown) {
  NcclCase c;
  c.run().version.claim("2.28.9", c.here);
  c.run().version.claim("2.27.3", c.here.at_line(9));
  EXPECT_TRUE(c.is_unknown("NCC017"));
}

TEST(InitIncomplete, OneRankDidNotFinish) {
  NcclCase c;
  c.rank(0).started = true;
  c.run().ranks[0].complete = true;
  c.rank(1, "n2").started = true;
  EXPECT_EQ(c.only("NCC027").text, "1 of 2 ranks began their start and did not finish it: 1 (n2)");
}

TEST(InitIncomplete, ALogThatWasCutIsUnknownAndWarningsMakeItAFailure) {
  NcclCase c;
  c.rank(0).started = true;
  EXPECT_TRUE(c.is_unknown("NCC027"));
  c.warn("bootstrap.cc", "something is wrong");
  EXPECT_TRUE(holds(c.only("NCC027").text, "something is wrong"));
  NcclCase done;
  done.rank(0).started = true;
  done.run().ranks[0].complete = true;
  EXPECT_TRUE(done.passes("NCC027"));
}

TEST(VirtualInterface, FirstConnectionsOverAVirtualOne) {
  NcclCase c;
  c.run().oob.claim("vethc9a1", c.here);
  c.nic("Socket", "eth0", "", 0);
  c.nic("Socket", "tunl0", "", 1);
  const Finding finding = c.only("NCC031");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(holds(finding.text, "vethc9a1"));
  EXPECT_EQ(finding.remedy.at(0).command, "export NCCL_SOCKET_IFNAME==eth0");
}

TEST(VirtualInterface, ANoteWhereRdmaCarriesTheData) {
  NcclCase c;
  c.run().oob.claim("eth0", c.here);
  c.run().network.claim("IB", c.here);
  c.nic("Socket", "docker0", "", 0);
  EXPECT_EQ(c.only("NCC031").severity, Severity::note);
  NcclCase one_host;
  one_host.run().oob.claim("docker0", one_host.here);
  one_host.rank(0);
  one_host.rank(1);
  EXPECT_EQ(one_host.only("NCC031").severity, Severity::note);
  NcclCase real;
  real.run().oob.claim("bond0", real.here);
  EXPECT_TRUE(real.passes("NCC031"));
}

TEST(TopologyGuessed, UnlessAFileIsGiven) {
  NcclCase c;
  c.info("Topology detection : could not read /sys/devices/pci0000:00/0000:00:0c.0/max_link_width");
  EXPECT_EQ(c.only("NCC022").severity, Severity::warning);
  c.set("NCCL_TOPO_FILE", "/opt/topo.xml");
  EXPECT_TRUE(c.passes("NCC022"));
}

}  // namespace
}  // namespace railgauge::judge
