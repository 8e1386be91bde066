#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::uint64_t mib = 1024 * 1024;
constexpr std::uint64_t gib = 1024 * mib;

void gpus(Bench& b, int number) {
  for (int i = 0; i < number; ++i) b.machine.add(DeviceKind::gpu, b.here);
}

TEST(SharedMemory, ADockerDefaultForEightRanks) {
  Bench b;
  gpus(b, 8);
  b.machine.host.shm_bytes.claim(64 * mib, b.here);
  const Finding finding = b.only("OSL001");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "64 MiB for 8 ranks"));
}

TEST(SharedMemory, FullIsAFaultWhateverItsSize) {
  Bench b;
  b.machine.host.shm_bytes.claim(64 * gib, b.here);
  b.machine.host.shm_used_bytes.claim(63 * gib, b.here);
  EXPECT_TRUE(says(b.only("OSL001"), "is full"));
}

TEST(SharedMemory, HalfOfTheMemoryPasses) {
  Bench b;
  gpus(b, 8);
  b.machine.host.shm_bytes.claim(512 * gib, b.here);
  b.machine.host.shm_used_bytes.claim(mib, b.here);
  EXPECT_TRUE(b.passes("OSL001"));
}

TEST(LockedMemory, EightMebibytesBesideAnRdmaAdapter) {
  Bench b;
  b.nic("mlx5_0");
  b.machine.host.locked_memory_limit_bytes.claim(Limit{8 * mib}, b.here);
  EXPECT_EQ(b.only("OSL002").severity, Severity::warning);
  Bench without;
  without.machine.host.locked_memory_limit_bytes.claim(Limit{8 * mib}, without.here);
  EXPECT_EQ(without.only("OSL002").severity, Severity::note);
}

TEST(LockedMemory, UnlimitedOrPlentyPasses) {
  Bench b;
  b.machine.host.locked_memory_limit_bytes.claim(Limit{}, b.here);
  EXPECT_TRUE(b.passes("OSL002"));
  Bench plenty;
  plenty.machine.host.memory_bytes.claim(1024 * gib, plenty.here);
  plenty.machine.host.locked_memory_limit_bytes.claim(Limit{128 * gib}, plenty.here);
  EXPECT_TRUE(plenty.passes("OSL002"));
}

TEST(OpenFiles, TheUsual1024IsANote) {
  Bench b;
  b.machine.host.locked_memory_limit_bytes.claim(Limit{}, b.here);
  b.machine.host.open_files_limit.claim(Limit{1024}, b.here);
  EXPECT_EQ(b.only("OSL003").severity, Severity::note);
  b.machine.host.open_files_limit = {};
  b.machine.host.open_files_limit.claim(Limit{65536}, b.here);
  EXPECT_TRUE(b.passes("OSL003"));
}

TEST(ContainerMemory, TwoGibibytesAGpu) {
  Bench b;
  gpus(b, 4);
  b.machine.host.memory_bytes.claim(1024 * gib, b.here);
  EXPECT_TRUE(b.unknown("OSL006"));
  b.machine.host.cgroup_memory_limit_bytes.claim(Limit{8 * gib}, b.here);
  EXPECT_EQ(b.only("OSL006").severity, Severity::warning);
  b.machine.host.cgroup_memory_limit_bytes = {};
  b.machine.host.cgroup_memory_limit_bytes.claim(Limit{}, b.here);
  EXPECT_TRUE(b.passes("OSL006"));
}

TEST(SocketBuffers, MatterOnlyWhereSocketsAreUsed) {
  Bench b;
  b.machine.host.memory_bytes.claim(gib, b.here);
  b.machine.host.sysctls["net.ipv4.tcp_rmem"].claim("4096\t87380\t212992", b.here);
  EXPECT_EQ(b.only("OSL007").severity, Severity::note);
  NcclRun run;
  run.network.claim("Socket", b.here);
  b.machine.nccl_runs.push_back(run);
  EXPECT_EQ(b.only("OSL007").severity, Severity::warning);
  Bench fine;
  fine.machine.host.memory_bytes.claim(gib, fine.here);
  fine.machine.host.sysctls["net.ipv4.tcp_rmem"].claim("4096 131072 6291456", fine.here);
  EXPECT_TRUE(fine.passes("OSL007"));
}

TEST(Governor, PowersaveIsANoteUnlessThePlainDriverRuns) {
  Bench b;
  b.machine.host.cpu_governor.claim("powersave", b.here);
  EXPECT_EQ(b.only("OSL004").severity, Severity::note);
  b.machine.host.kernel_arguments.claim({"intel_pstate=disable"}, b.here);
  EXPECT_EQ(b.only("OSL004").severity, Severity::warning);
  Bench fast;
  fast.machine.host.cpu_governor.claim("performance", fast.here);
  EXPECT_TRUE(fast.passes("OSL004"));
}

TEST(HugePages, AlwaysIsANote) {
  Bench b;
  b.machine.host.memory_bytes.claim(gib, b.here);
  b.machine.host.transparent_huge_pages.claim("always", b.here);
  EXPECT_EQ(b.only("OSL005").severity, Severity::note);
  Bench madvise;
  madvise.machine.host.memory_bytes.claim(gib, madvise.here);
  madvise.machine.host.transparent_huge_pages.claim("madvise", madvise.here);
  EXPECT_TRUE(madvise.passes("OSL005"));
}

TEST(Nouveau, InPlaceOfTheDriverAndBesideIt) {
  Bench b;
  b.module("nouveau");
  EXPECT_EQ(b.only("OSL013").severity, Severity::error);
  b.module("nvidia");
  EXPECT_EQ(b.only("OSL013").severity, Severity::warning);
  Bench fine;
  fine.module("nvidia");
  EXPECT_TRUE(fine.passes("OSL013"));
}

TEST(KernelLog, AKilledProcessAndABlockedOne) {
  Bench b;
  b.event(EventKind::out_of_memory, EventSeverity::warning, "Killed process 42 (python3)");
  b.machine.events.back().process = "python3";
  EXPECT_TRUE(says(b.only("OSL009"), "python3"));
  b.event(EventKind::hung_task, EventSeverity::warning, "task x:4242 blocked for more than 120 s");
  EXPECT_EQ(b.only("OSL010").severity, Severity::warning);
}

TEST(KernelLog, AFewCorrectedErrorsAreANoteAndUncorrectedOnesAnError) {
  Bench b;
  b.event(EventKind::memory_error, EventSeverity::corrected, "EDAC MC0: 1 CE memory read error");
  EXPECT_EQ(b.only("OSL011").severity, Severity::note);
  b.event(EventKind::memory_error, EventSeverity::fatal, "EDAC MC0: 1 UE memory read error");
  const CheckReport report = b.check("OSL011");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  Bench many;
  many.event(EventKind::memory_error, EventSeverity::corrected, "EDAC MC0: CE", 5000);
  EXPECT_EQ(many.only("OSL011").severity, Severity::warning);
}

TEST(KernelLog, ACrashInsideNcclIsAnError) {
  Bench b;
  b.event(EventKind::segfault, EventSeverity::warning,
          "pt_main_thread[2536443]: segfault at 7f79 error 4 in libnccl.so.2[7f7c]");
  b.machine.events.back().process = "pt_main_thread";
  const Finding finding = b.only("OSL012");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(says(finding, "pt_main_thread"));
}

TEST(KernelLog, AQuietOnePassesAndNoneIsNotChecked) {
  Bench quiet;
  quiet.machine.host.kernel_log_lines.claim(100, quiet.here);
  Bench none;
  for (const char* rule : {"OSL009", "OSL010", "OSL011", "OSL012"}) {
    EXPECT_TRUE(quiet.passes(rule)) << rule;
    EXPECT_TRUE(none.unknown(rule)) << rule;
  }
}

}  // namespace
}  // namespace railgauge::judge
