// Ranks and processes: dead (NCC104), timed out (NCC105), busy elsewhere (NCC107), no dump
// (NCC109).
#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/hang_stack.h"
#include "judge/rules/hang_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

HangDump ras(const std::string& statement) {
  HangDump dump{.kind = "NCCL RAS"};
  dump.groups.push_back({.name = "cf26", .size = 4});
  if (!statement.empty())
    dump.ranks.push_back(
        {.rank = 2, .host = "node07", .process_id = 1906, .statements = {statement}});
  return dump;
}

TEST(RankDead, RasSaysSo) {
  HangCase job(0);
  job.machine.hangs.push_back(ras("DEAD: considered dead, unreachable via the RAS network"));
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC104");
  EXPECT_EQ(report.findings[0].subject, "rank 2 (process 1906 on node07)");
  EXPECT_TRUE(contains(report.findings[0].text, "is dead"));
  EXPECT_TRUE(report.findings[0].remedy.at(0).command.starts_with("ssh node07 sudo dmesg"));
}

TEST(RankDead, ItTakesInTheTimeoutsOfTheOthers) {
  HangCase job(0);
  job.machine.hangs.push_back(ras("DEAD: considered dead, unreachable via the RAS network"));
  HangDump& log = job.log({0, 1, 3});
  for (const int rank : {0, 1, 3}) job.timeout(log, rank, 12);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC104");
  EXPECT_EQ(report.findings[0].consequences.at(0).id, "NCC105");
}

TEST(RankDead, AllProcessesOfANodeAreOneFinding) {
  HangCase job(0);
  HangDump dump = ras("DEAD: considered dead, unreachable via the RAS network");
  dump.ranks.push_back(dump.ranks[0]);
  dump.ranks[1].process_id = 1907;
  dump.ranks[1].rank = 3;
  job.machine.hangs.push_back(dump);
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "2 processes on node07"));
}

TEST(RankDead, AProcessThatAnswersTheSecondQueryIsWell) {
  HangCase job(0);
  job.machine.hangs.push_back(ras("INCOMPLETE: the process did not answer"));
  job.machine.hangs.push_back(ras(""));
  EXPECT_EQ(job.ids(), "");
}

TEST(RankDead, KilledByASignal) {
  HangCase job(0);
  HangDump& log = job.log({0, 1, 2});
  log.ranks[2].statements = {"ended by signal 9"};
  log.ranks[2].process_id = 77;
  EXPECT_TRUE(contains(job.found().at(0),
                       "NCC104 rank 2 (process 77): rank 2 (process 77) ended by signal 9"));
}

TEST(WatchdogTimeout, AloneItIsToldAsWhatItIs) {
  HangCase job(0);
  HangDump& log = job.log({0, 1});
  for (const int rank : {0, 1}) job.timeout(log, rank, 808);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC105");
  EXPECT_TRUE(
      contains(report.findings[0].text, "ranks 0, 1 waited 600 s in all_reduce #808 of group 0"))
      << report.findings[0].text;
}

TEST(WatchdogTimeout, ALogWithoutOnePasses) {
  HangCase job(0);
  job.log({0, 1});
  EXPECT_EQ(job.ids(), "");
}

TEST(WatchdogTimeout, ARankThatSaysNothingAmongManyIsTheLateOne) {
  HangCase job(0);
  HangDump& log = job.log({0, 1, 2, 3});
  for (const int rank : {0, 1, 3}) job.timeout(log, rank, 808);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC101");
  EXPECT_TRUE(contains(report.findings[0].text,
                       "rank 2 reported no timeout in all_reduce #808 when ranks 0, 1, 3 did"));
  EXPECT_EQ(report.findings[0].consequences.at(0).id, "NCC105");
}

TEST(WatchdogTimeout, TheLastEnqueuedWorkNamesTheLateRank) {
  HangCase job(0);
  HangDump& log = job.log({0, 1, 2});
  for (const int rank : {0, 1}) job.timeout(log, rank, 808);
  log.ranks[2].progress.push_back({.group = "0", .enqueued = 805, .completed = 805});
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "NCC101 rank 2: rank 2 never entered all_reduce #808"))
      << found[0];
}

TEST(WatchdogTimeout, DifferentOperationsAtOneNumber) {
  HangCase job(0);
  HangDump& log = job.log({0, 1, 2});
  for (const int rank : {0, 1}) job.timeout(log, rank, 808);
  job.timeout(log, 2, 808, "broadcast");
  EXPECT_EQ(job.ids(), "NCC102");
}

TEST(WatchdogTimeout, DifferentSizesAtOneNumber) {
  HangCase job(0);
  HangDump& log = job.log({0, 1, 2});
  for (const int rank : {0, 1, 2}) job.timeout(log, rank, 808);
  log.timeouts[2].input_count = 1000;
  EXPECT_EQ(job.ids(), "NCC103");
}

const std::vector<std::string> in_all_reduce{
    "torch/distributed/distributed_c10d.py:2806 all_reduce", "train.py:214 step"};
const std::vector<std::string> in_data_loader{"connection.py:424 _poll",
                                              "torch/utils/data/dataloader.py:1120 _try_get_data",
                                              "train.py:200 main"};

TEST(BusyElsewhere, TheLateRankWaitsForItsDataLoader) {
  HangCase job(3);
  for (const int rank : {0, 1}) job.call(rank, 2, "all_reduce", State::started);
  job.stack(2, 50, in_data_loader);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC107");
  EXPECT_EQ(
      report.findings[0].text,
      "rank 2 waits for its DataLoader (torch/utils/data/dataloader.py:1120 _try_get_data, from "
      "train.py:200 main) while 2 others wait for it");
  EXPECT_EQ(report.findings[0].consequences.at(0).id, "NCC101");
}

TEST(BusyElsewhere, ByStacksAlone) {
  HangCase job(0);
  job.stack(std::nullopt, 50, in_all_reduce);
  job.stack(std::nullopt, 51, in_all_reduce);
  job.stack(std::nullopt, 52, {"torch/serialization.py:850 save", "train.py:400 save_checkpoint"});
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "NCC107 process 52: process 52 reads or writes a checkpoint"))
      << found[0];
}

TEST(BusyElsewhere, AllInTheSamePlaceIsSlowNotHung) {
  HangCase job(0);
  for (const int process : {50, 51, 52}) job.stack(std::nullopt, process, in_data_loader);
  EXPECT_EQ(job.ids(), "");
}

TEST(BusyElsewhere, WorkersAndAgentsAreNoRanks) {
  HangCase job(0);
  job.stack(std::nullopt, 50, in_all_reduce);
  job.stack(
      std::nullopt, 60,
      {"multiprocessing/queues.py:113 get", "torch/utils/data/_utils/worker.py:275 _worker_loop"});
  job.stack(std::nullopt, 61, {"torch/distributed/elastic/agent/server/api.py:870 _invoke_run"});
  EXPECT_EQ(job.ids(), "");
}

TEST(BusyElsewhere, CodeOfItsOwnIsNoProofByStacksAlone) {
  HangCase job(0);
  job.stack(std::nullopt, 50, in_all_reduce);
  job.stack(std::nullopt, 51, {"train.py:215 step"});
  EXPECT_EQ(job.ids(), "");
}

TEST(Standing, TheInnermostFrameThatSaysSomethingDecides) {
  const auto busy = [](std::vector<std::string> frames) {
    return hang::standing_of({{.thread = "MainThread", .frames = std::move(frames)}}).busy;
  };
  using hang::Busy;
  EXPECT_EQ(busy(in_all_reduce), Busy::communication);
  EXPECT_EQ(busy(in_data_loader), Busy::data_loader);
  EXPECT_EQ(busy({"pthread_rwlock_wrlock (libpthread.so.0)", "?? (libcuda.so.1)",
                  "ncclGroupEnd (libnccl.so.2)"}),
            Busy::communication);
  EXPECT_EQ(busy({"?? (libcuda.so.1)", "cudaMalloc (libcudart.so.12)", "train.py:9 f"}),
            Busy::gpu_memory);
  EXPECT_EQ(busy({"threading.py:320 wait", "train.py:9 f"}), Busy::lock);
  EXPECT_EQ(busy({"torch/distributed/distributed_c10d.py:3 gather_object",
                  "torch/distributed/checkpoint/utils.py:100 reduce_scatter", "train.py:9 save"}),
            Busy::communication);
  EXPECT_EQ(busy({"torch/utils/file_baton.py:45 wait", "torch/utils/cpp_extension.py:1700 load"}),
            Busy::compile);
  EXPECT_EQ(busy({"train.py:9 f"}), Busy::own_code);
}

TEST(DumpsMissing, AnAbsentRankMayBeTheCause) {
  HangCase job(4);
  job.all(2, "all_reduce", State::started);
  job.without_dump(3);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC109");
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  EXPECT_EQ(
      report.findings[0].text,
      "no dump of rank 3 (3 of 4 ranks gave one): the ranks with a dump all wait, so an absent "
      "one may be the cause");
}

TEST(DumpsMissing, GapsTellWhereNoGroupNamesItsRanks) {
  HangCase job(4);
  job.all(2, "all_reduce", State::started);
  job.without_dump(1);
  for (HangDump& dump : job.machine.hangs) dump.groups.clear();
  EXPECT_TRUE(contains(job.found().at(0), "no dump of rank 1 (3 of 4"));
}

TEST(DumpsMissing, AJobThatEndedItsOperationsNeedsNone) {
  HangCase job(4);
  job.all(2, "all_reduce", State::completed);
  job.without_dump(3);
  EXPECT_EQ(job.ids(), "");
}

TEST(HangRules, WithoutDumpsNothingIsChecked) {
  HangCase job(0);
  const auto report = job.check();
  EXPECT_EQ(report.not_checked.size(), 8u);
  EXPECT_TRUE(report.passed.empty());
}

}  // namespace
}  // namespace railgauge::judge
