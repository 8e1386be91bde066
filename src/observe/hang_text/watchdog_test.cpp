#include "observe/hang_text/watchdog.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using namespace model;

HangDump read(const std::string& text) {
  EXPECT_TRUE(looks_like_watchdog_log(text));
  const auto machine = read_watchdog_log({"job.log", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? machine->hangs.at(0) : HangDump{};
}

TEST(Watchdog, TimeoutOfTheDefaultGroup) {
  const HangDump out = read(
      "epoch 0: 12%\n"
      "[rank1]:[E626 06:24:44.903881913 ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog caught "
      "collective "
      "operation timeout: WorkNCCL(SeqNum=808, OpType=ALLREDUCE, NumelIn=9801523, "
      "NumelOut=9801523, "
      "Timeout(ms)=600000) ran for 600020 milliseconds before timing out.\n"
      "[rank1]:[E626 06:24:44.906457629 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) "
      "Rank "
      "1] Exception (either an error or timeout) detected by watchdog at work: 808, last enqueued "
      "NCCL "
      "work: 811, last completed NCCL work: 807.\n"
      "[rank0]: Traceback (most recent call last):\n");
  ASSERT_EQ(out.timeouts.size(), 1u);
  const WatchdogTimeout& one = out.timeouts[0];
  EXPECT_EQ(one.rank, 1);
  EXPECT_EQ(one.group, "0");
  EXPECT_EQ(one.sequence, 808u);
  EXPECT_EQ(one.operation, "all_reduce");
  EXPECT_EQ(one.input_count, 9801523u);
  EXPECT_EQ(one.timeout_seconds, 600.0);
  EXPECT_EQ(one.ran_seconds, 600.02);
  EXPECT_EQ(one.last_enqueued, 811u);
  EXPECT_EQ(one.last_completed, 807u);
  EXPECT_EQ(one.source.line, 2u);
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].rank, 0);
  ASSERT_EQ(out.groups.size(), 1u);
  EXPECT_EQ(out.groups[0].description, "default_pg");
}

TEST(Watchdog, TheGlobalRankStandsInFrontAndTheGroupsInside) {
  const HangDump out = read(
      "node3: [rank118]:[E603 17:48:01 ProcessGroupNCCL.cpp:632] [Rank 6] Watchdog caught "
      "collective "
      "operation timeout: WorkNCCL(SeqNum=24, OpType=_ALLGATHER_BASE, NumelIn=8, NumelOut=64, "
      "Timeout(ms)=1800000) ran for 1800068 milliseconds before timing out.\n"
      "node3: [rank118]:[E603 17:48:01 ProcessGroupNCCL.cpp:2268] [PG ID 2 PG GUID 5(mesh_tp) Rank "
      "6]  "
      "failure detected by watchdog at work sequence id: 24 PG status: last enqueued work: 26, "
      "last "
      "completed work: -1\n");
  ASSERT_EQ(out.timeouts.size(), 1u);
  EXPECT_EQ(out.timeouts[0].rank, 118);
  EXPECT_EQ(out.timeouts[0].group, "5");
  EXPECT_EQ(out.timeouts[0].operation, "all_gather");
  EXPECT_EQ(out.timeouts[0].last_completed, 0u);
}

TEST(Watchdog, OldFormWithoutGroupOrSizes) {
  const HangDump out = read(
      "[E ProcessGroupNCCL.cpp:458] [Rank 7] Watchdog caught collective operation timeout: "
      "WorkNCCL(SeqNum=64088, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800251 milliseconds "
      "before timing out.\n"
      "terminate called after throwing an instance of 'std::runtime_error'\n"
      "  what():  [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=64088, "
      "OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800251 milliseconds before timing out.\n");
  ASSERT_EQ(out.timeouts.size(), 1u);
  EXPECT_EQ(out.timeouts[0].rank, 7);
  EXPECT_EQ(out.timeouts[0].group, "");
  EXPECT_EQ(out.timeouts[0].input_count, std::nullopt);
}

TEST(Watchdog, ARankThatWasAskedForItsDumpSaysHowFarItCame) {
  const HangDump out = read(
      "[rank3]:[E626 06:24:45 ProcessGroupNCCL.cpp:1370] [PG ID 0 PG GUID 0(default_pg) Rank 3] "
      "Received a dump signal due to a collective timeout from rank 1 and we will try our best to "
      "dump "
      "the debug info. Last enqueued NCCL work: 579, last completed NCCL work: 579.\n");
  ASSERT_EQ(out.ranks.size(), 1u);
  EXPECT_EQ(out.ranks[0].rank, 3);
  ASSERT_EQ(out.ranks[0].progress.size(), 1u);
  EXPECT_EQ(out.ranks[0].progress[0].enqueued, 579u);
  EXPECT_EQ(out.ranks[0].progress[0].completed, 579u);
}

TEST(Watchdog, ProcessesThatASignalEndedButNotThoseThatTheWatchdogDid) {
  const HangDump out = read(
      "E0303 torch/distributed/elastic/multiprocessing/api.py:833] failed (exitcode: -9) "
      "local_rank: 3 "
      "(pid: 1906) of binary: /usr/bin/python\n"
      "E0303 torch/distributed/elastic/multiprocessing/api.py:833] failed (exitcode: -6) "
      "local_rank: 0 "
      "(pid: 1900) of binary: /usr/bin/python\n"
      "Root Cause (first observed failure):\n[0]:\n  time      : 2026-03-03_10:00:00\n"
      "  host      : node07\n  rank      : 11 (local_rank: 3)\n  exitcode  : -9 (pid: 1906)\n"
      "  traceback : Signal 9 (SIGKILL) received by PID 1906\n"
      "============================================================\n");
  ASSERT_EQ(out.ranks.size(), 2u);
  EXPECT_EQ(out.ranks[0].rank, 11);
  EXPECT_EQ(out.ranks[0].process_id, 1906);
  EXPECT_EQ(out.ranks[0].statements, (std::vector<std::string>{"ended by signal 9"}));
  EXPECT_EQ(out.ranks[1].process_id, 1906);
}

TEST(Watchdog, OtherLogsAreNone) {
  EXPECT_FALSE(looks_like_watchdog_log("[rank0]: loss 2.1\nfailed (exitcode: 1) (pid: 3)\n"));
  EXPECT_FALSE(read_watchdog_log({"x", "[rank0]: loss 2.1\n"}));
}

}  // namespace
}  // namespace railgauge::observe
