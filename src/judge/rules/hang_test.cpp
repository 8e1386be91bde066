// Operations that do not end: who is late (NCC101), order (NCC102), sizes (NCC103), network
// (NCC106).
#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/hang_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(NeverArrived, OneRankIsBehind) {
  HangCase job(4);
  job.all(1, "all_reduce", State::completed);
  for (const int rank : {0, 1, 3}) job.call(rank, 2, "all_reduce", State::started);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.id, "NCC101");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.subject, "rank 2");
  EXPECT_EQ(finding.text,
            "rank 2 never entered all_reduce #2 of group default_pg; ranks 0, 1, 3 wait in it at "
            "train.py:214 step");
  ASSERT_GE(finding.evidence.size(), 1u);
  EXPECT_EQ(finding.evidence[0].what, "rank 2 stands");
  EXPECT_EQ(finding.evidence[0].observed, "somewhere after all_reduce #1 at train.py:214 step");
  EXPECT_EQ(finding.evidence[0].source, "nccl_trace_rank_2");
}

TEST(NeverArrived, AJobWhoseOperationsAllEndedIsNotHung) {
  HangCase job(4);
  job.all(1, "all_reduce", State::completed);
  job.all(2, "all_gather", State::completed);
  job.call(0, 3, "all_reduce", State::completed);
  EXPECT_EQ(job.ids(), "");
  EXPECT_EQ(job.check().passed.size(), 5u);
}

TEST(NeverArrived, WhatEndedOnOneRankWasEnteredByAll) {
  HangCase job(3);
  job.all(1, "all_reduce", State::completed);
  job.call(0, 2, "all_reduce", State::completed);
  job.call(1, 2, "all_reduce", State::started);
  EXPECT_EQ(job.ids(), "");
}

TEST(NeverArrived, ABroadcastMayEndAtItsRootWhileOthersAreMissing) {
  HangCase job(3);
  job.all(1, "all_reduce", State::completed);
  job.call(0, 2, "broadcast", State::completed);
  job.call(1, 2, "broadcast", State::started);
  EXPECT_EQ(job.ids(), "NCC101");
}

TEST(NeverArrived, ABufferThatWasFullHidesOldCallsOnly) {
  HangCase job(2);
  job.group("tp", {0, 1});
  job.call(0, 900, "all_reduce", State::started);
  job.call(1, 900, "all_reduce", State::completed);
  job.call(0, 3, "all_gather", State::started, "tp");
  job.lost_oldest(1);  // its calls of tp may have been overwritten
  EXPECT_EQ(job.ids(), "");
}

TEST(NeverArrived, CountsOfTheDumpTellWhatTheBufferLost) {
  HangCase job(2);
  job.group("tp", {0, 1});
  job.call(0, 3, "all_gather", State::started, "tp");
  job.call(1, 900, "all_reduce", State::completed);
  job.lost_oldest(1);
  job.dump(1)->ranks[0].progress.push_back({.group = "tp", .enqueued = 2, .completed = 2});
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "rank 1 never entered all_gather #3 of group tp")) << found[0];
}

TEST(NeverArrived, OfTwoStandstillsTheOneThatKeepsTheOtherIsTold) {
  // Rank 1 is late in dp because it waits in tp for rank 0, which is nowhere.
  HangCase job(4);
  job.all(1, "barrier", State::completed);
  job.group("tp", {0, 1});
  job.group("dp", {1, 3});
  job.call(1, 5, "all_gather", State::started, "tp");
  job.call(3, 8, "all_reduce", State::started, "dp");
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].subject, "rank 0");
  EXPECT_TRUE(contains(report.findings[0].text, "all_gather #5 of group tp"));
  bool also = false;
  for (const Evidence& one : report.findings[0].evidence)
    also |= one.what == "also held up" && contains(one.observed, "rank 3 in all_reduce #8");
  EXPECT_TRUE(also);
}

TEST(NeverArrived, AGpuThatDidNotBeginIsLate) {
  HangCase job(4);
  for (const int rank : {0, 1, 2}) job.call(rank, 7, "all_reduce", State::started);
  job.call(3, 7, "all_reduce", State::scheduled);
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "rank 3 queued and never began all_reduce #7")) << found[0];
}

TEST(NeverArrived, ASendWithoutItsReceive) {
  HangCase job(2);
  job.pair(0, "send", 1, State::started);
  job.call(1, 4, "all_reduce", State::completed);
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "NCC101 rank 1: rank 1 never received from rank 0")) << found[0];
}

TEST(NeverArrived, AReceiveWithoutItsSend) {
  HangCase job(2);
  job.pair(1, "recv", 0, State::started);
  job.call(0, 4, "all_reduce", State::completed);
  EXPECT_TRUE(contains(job.found().at(0), "rank 0 never sent to rank 1"));
}

TEST(NeverArrived, ThePipelinesChainEndsAtTheRankThatWaitsForNobody) {
  HangCase job(3);
  job.pair(1, "recv", 0, State::started);
  job.pair(2, "recv", 1, State::started);
  job.call(0, 4, "all_reduce", State::completed);
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "rank 0 never sent to rank 1")) << found[0];
}

TEST(NeverArrived, ARankThatTwoOthersWaitForIsToldOnce) {
  HangCase job(3);
  job.pair(0, "send", 1, State::started);
  job.pair(2, "recv", 1, State::started);
  job.call(1, 4, "all_reduce", State::completed);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].subject, "rank 1");
  EXPECT_EQ(report.findings[0].evidence.back().what, "rank 2 too");
}

TEST(NeverArrived, SendsAndReceivesThatEndedSayNothing) {
  HangCase job(2);
  job.pair(0, "send", 1, State::completed);
  job.pair(1, "recv", 0, State::completed);
  EXPECT_EQ(job.ids(), "");
}

TEST(NeverArrived, ASmallSendMayEndBeforeItsReceive) {
  HangCase job(2);
  job.pair(0, "send", 1, State::completed);
  job.pair(1, "recv", 0, State::started);
  EXPECT_FALSE(contains(job.ids(), "NCC101"));
}

LaunchCount count(std::uint64_t launched, int ranks, std::vector<int> named = {}) {
  return {.group = "cf26",
          .operation = "AllReduce",
          .launched = launched,
          .ranks = ranks,
          .named = std::move(named)};
}

HangDump ras(std::vector<LaunchCount> counts) {
  HangDump dump{.kind = "NCCL RAS"};
  dump.groups.push_back({.name = "cf26", .size = 32});
  dump.launch_counts = std::move(counts);
  return dump;
}

TEST(NeverArrived, OneAnswerOfRasIsOnlyAMoment) {
  HangCase job(0);
  job.machine.hangs.push_back(ras({count(6650, 31), count(6649, 1, {21})}));
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].severity, Severity::note);
  EXPECT_TRUE(contains(report.findings[0].text,
                       "rank 21 launched 6649 AllReduce operations, 31 ranks 6650"));
}

TEST(NeverArrived, TwoAnswersOfRasWithTheSameCountsAreAHang) {
  HangCase job(0);
  job.machine.hangs.push_back(ras({count(6650, 31), count(6649, 1, {21})}));
  job.machine.hangs.push_back(ras({count(6650, 31), count(6649, 1, {21})}));
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_TRUE(contains(report.findings[0].text, "the job does not move"));
}

TEST(NeverArrived, CountsOfRasThatRiseAreNoHang) {
  HangCase job(0);
  job.machine.hangs.push_back(ras({count(6650, 31), count(6649, 1, {21})}));
  job.machine.hangs.push_back(ras({count(6690, 30), count(6688, 2, {3, 4})}));
  EXPECT_EQ(job.ids(), "");
}

TEST(CallsDiffer, OneRankIsInAnotherOperation) {
  HangCase job(4);
  job.all(9, "all_reduce", State::completed);
  for (const int rank : {0, 1, 3}) job.call(rank, 10, "all_reduce", State::started);
  job.call(2, 10, "broadcast", State::started).where = "eval.py:30 log";
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC102");
  EXPECT_EQ(report.findings[0].subject, "rank 2");
  EXPECT_EQ(
      report.findings[0].text,
      "operation #10 of group default_pg differs: ranks 0, 1, 3 in all_reduce at train.py:214 "
      "step, rank 2 in broadcast at eval.py:30 log");
}

TEST(CallsDiffer, TwoGroupsInDifferentOrderWaitInACircle) {
  HangCase job(2);
  job.group("a", {0, 1});
  job.group("b", {0, 1});
  job.call(0, 1, "all_reduce", State::started, "a");
  job.call(1, 1, "all_reduce", State::started, "b");
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with(
      "NCC102 group a and group b: operations were entered in different order"))
      << found[0];
}

TEST(CallsDiffer, TheSameOperationsInOrderAreWell) {
  HangCase job(2);
  job.all(1, "all_reduce", State::completed);
  job.all(2, "broadcast", State::completed);
  EXPECT_EQ(job.ids(), "");
}

TEST(SizesDiffer, OneRankGivesFewerElements) {
  HangCase job(3);
  job.all(4, "all_reduce", State::started);
  job.dump(1)->ranks[0].calls.back().input_sizes = {{512}};
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC103");
  EXPECT_EQ(report.findings[0].subject, "rank 1");
  EXPECT_EQ(report.findings[0].text,
            "all_reduce #4 of group default_pg was entered with different data: 1024 elements on "
            "ranks 0, 2, 512 elements on rank 1");
}

TEST(SizesDiffer, AnotherTypeOnOneRank) {
  HangCase job(3);
  job.all(4, "all_reduce", State::started);
  job.dump(2)->ranks[0].calls.back().type = "BFloat16";
  EXPECT_TRUE(contains(job.found().at(0), "BFloat16 on rank 2, Float on ranks 0, 1"));
}

TEST(SizesDiffer, AnotherShapeOfAsManyElementsIsTheSame) {
  HangCase job(3);
  job.all(4, "all_reduce", State::started);
  job.dump(2)->ranks[0].calls.back().input_sizes = {{32, 32}};
  EXPECT_FALSE(contains(job.ids(), "NCC103"));
}

TEST(SizesDiffer, AnExchangeMayBeUnevenWhenItsSumsFit) {
  HangCase job(2);
  job.all(4, "all_to_all", State::started);
  job.dump(0)->ranks[0].calls.back().input_sizes = {{300}};
  job.dump(0)->ranks[0].calls.back().output_sizes = {{100}};
  job.dump(1)->ranks[0].calls.back().input_sizes = {{100}};
  job.dump(1)->ranks[0].calls.back().output_sizes = {{300}};
  EXPECT_FALSE(contains(job.ids(), "NCC103"));
  job.dump(1)->ranks[0].calls.back().output_sizes = {{290}};
  EXPECT_TRUE(contains(job.found().at(0), "sends 400 elements and wants 390"));
}

TEST(SizesDiffer, UnevenListsAndRootsAreAllowed) {
  HangCase job(2);
  job.all(4, "all_gather", State::started);
  for (const int rank : {0, 1}) {
    job.dump(rank)->ranks[0].calls.back().input_sizes = {{rank == 0 ? 10U : 6U}};
    job.dump(rank)->ranks[0].calls.back().output_sizes = {{10}, {6}};
  }
  EXPECT_FALSE(contains(job.ids(), "NCC103"));
  HangCase rooted(2);
  rooted.all(4, "gather", State::started);
  rooted.dump(1)->ranks[0].calls.back().output_sizes = {};
  EXPECT_FALSE(contains(rooted.ids(), "NCC103"));
}

TEST(SizesDiffer, ASendOfAnotherSizeThanItsReceive) {
  HangCase job(2);
  job.pair(0, "send", 1, State::started).input_sizes = {{4096}};
  job.pair(1, "recv", 0, State::started).output_sizes = {{8192}};
  EXPECT_TRUE(contains(job.found().at(0),
                       "NCC103 ranks 0 and 1: rank 0 sends 4096 elements, rank 1 wants 8192"));
}

TEST(StuckInTheNetwork, AllEnteredAndTheWatchdogGaveUp) {
  HangCase job(4);
  job.all(1, "all_reduce", State::completed);
  job.all(2, "all_reduce", State::started);
  job.dump(0)->ranks[0].calls.back().timed_out = true;
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].id, "NCC106");
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_TRUE(contains(report.findings[0].text,
                       "all 4 ranks are in all_reduce #2 of group default_pg and none finished: "
                       "the watchdog gave up"));
}

TEST(StuckInTheNetwork, AMomentOfAJobThatRunsIsSaidWithDoubt) {
  HangCase job(2);
  job.all(2, "all_reduce", State::started);
  const auto report = job.check();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings[0].text, "unless it moved on after the dumps"));
}

TEST(StuckInTheNetwork, SomeFinishedAndNoTimeHasPassedIsWell) {
  HangCase job(2);
  job.call(0, 2, "all_reduce", State::completed);
  job.call(1, 2, "all_reduce", State::started);
  EXPECT_EQ(job.ids(), "");
}

TEST(StuckInTheNetwork, SomeFinishedLongAgoAndOthersDidNot) {
  HangCase job(2);
  job.call(0, 2, "all_reduce", State::completed).completed_seconds = 1000;
  job.call(1, 2, "all_reduce", State::started).created_seconds = 999;
  job.call(0, 3, "all_reduce", State::started).created_seconds = 1500;
  const auto found = job.found();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "rank 0 finished, rank 1 did not: for 501 s at least"))
      << found[0];
}

}  // namespace
}  // namespace railgauge::judge
