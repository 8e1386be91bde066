#include "observe/hang_text/nccl_ras.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using namespace model;

std::vector<HangDump> read(const std::string& text) {
  EXPECT_TRUE(looks_like_nccl_ras(text));
  const auto machine = read_nccl_ras({"ras.txt", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? machine->hangs : std::vector<HangDump>{};
}

const std::string head =
    "NCCL version 2.27.5 compiled with CUDA 12.9\n"
    "CUDA runtime version 12090, driver version 12090\n\nJob summary\n===========\n\n"
    "  Nodes  Processes         GPUs  Processes     GPUs\n"
    "(total)   per node  per process    (total)  (total)\n"
    "      4          8            1         32       32\n\n"
    "Communicators... (0.01s)\n=============\n\n"
    "Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors\n"
    "    #  in group  per comm  per node  per comm  in group\n";

TEST(NcclRas, HealthyJobHasNoCounts) {
  const auto dumps =
      read(head +
           "    0         1         4         8        32        32   RUNNING      OK\n"
           "\nErrors\n======\n\nWarnings\n========\n\n");
  ASSERT_EQ(dumps.size(), 1u);
  EXPECT_EQ(dumps[0].ranks_expected, 32);
  EXPECT_TRUE(dumps[0].launch_counts.empty());
  EXPECT_TRUE(dumps[0].ranks.empty());
}

TEST(NcclRas, CountsThatDifferNameTheOutliers) {
  const auto dumps =
      read(head +
           "    0         1         4         8        32        32   RUNNING  MISMATCH\n"
           "\nErrors\n======\n\nWarnings\n========\n\n"
           "#0-0 (27a079b828ff1a75) MISMATCH\n"
           "  Communicator ranks have different AllReduce operation counts\n"
           "  29 ranks have launched up to operation 6650\n"
           "  2 ranks have launched up to operation 6649\n"
           "  Rank 0 -- GPU 0 managed by process 483072 on node 192.0.2.10\n"
           "  Rank 2 -- GPU 2 managed by process 483074 on node 192.0.2.10\n"
           "  Rank 7 has not launched any operations -- GPU 7 managed by process 483079 on node "
           "192.0.2.10\n");
  ASSERT_EQ(dumps.size(), 1u);
  ASSERT_EQ(dumps[0].groups.size(), 1u);
  EXPECT_EQ(dumps[0].groups[0].name, "27a079b828ff1a75");
  EXPECT_EQ(dumps[0].groups[0].size, 32);
  ASSERT_EQ(dumps[0].launch_counts.size(), 3u);
  EXPECT_EQ(dumps[0].launch_counts[0].launched, 6650u);
  EXPECT_EQ(dumps[0].launch_counts[0].ranks, 29);
  EXPECT_TRUE(dumps[0].launch_counts[0].named.empty());
  EXPECT_EQ(dumps[0].launch_counts[1].named, (std::vector<int>{0, 2}));
  EXPECT_EQ(dumps[0].launch_counts[2].launched, 0u);
  EXPECT_EQ(dumps[0].launch_counts[2].named, (std::vector<int>{7}));
  EXPECT_EQ(dumps[0].launch_counts[2].operation, "AllReduce");
  ASSERT_EQ(dumps[0].ranks.size(), 3u);
  EXPECT_EQ(dumps[0].ranks[2].rank, 7);
  EXPECT_EQ(dumps[0].ranks[2].process_id, 483079);
}

TEST(NcclRas, DeadAndMissingProcesses) {
  const auto dumps =
      read(head +
           "    0         1         4       7-8        32        32   RUNNING  INCOMPLETE\n"
           "\nErrors\n======\n\n"
           "INCOMPLETE\n  Missing communicator data from 1 job process\n"
           "  Process 3487984 on node 192.0.2.13 managing GPU 5\n\n"
           "DEAD\n  1 job process is considered dead (unreachable via the RAS network)\n"
           "  Process 3487999 on node 192.0.2.14 managing GPU 1\n\n"
           "#0-0 (cf264af53edbe986) INCOMPLETE\n  Missing communicator data from 1 rank\n"
           "  Rank 21 -- GPU 5 managed by process 3487984 on node 192.0.2.13\n\n"
           "Warnings\n========\n\nTIMEOUT\n"
           "  Encountered 2 communication timeouts while gathering communicator data\n");
  ASSERT_EQ(dumps.size(), 1u);
  ASSERT_EQ(dumps[0].ranks.size(), 2u);
  EXPECT_EQ(dumps[0].ranks[0].process_id, 3487984);
  EXPECT_EQ(dumps[0].ranks[0].rank, 21);
  ASSERT_EQ(dumps[0].ranks[0].statements.size(), 1u);
  EXPECT_TRUE(dumps[0].ranks[0].statements[0].starts_with("INCOMPLETE"));
  EXPECT_EQ(dumps[0].ranks[1].host, "192.0.2.14");
  EXPECT_TRUE(dumps[0].ranks[1].statements.at(0).starts_with("DEAD"));
}

TEST(NcclRas, TwoQueriesAreTwoDumps) {
  const std::string one =
      head + "    0         1         4         8        32        32   RUNNING      OK\n";
  EXPECT_EQ(read(one + "$ ncclras\n" + one).size(), 2u);
}

const std::string json = R"({
  "nccl_version": "2.29.1", "timestamp": "2026-01-19 13:06:53", "communicators_count": 1,
  "communicators": [{"hash": "0xae94", "size": 3, "ranks_count": 2, "missing_ranks_count": 1,
    "ranks": [
      {"rank": 0, "host": "192.0.2.1", "pid": 100, "status": {"init_state": 0, "async_error": 0},
       "collective_counts": {"Broadcast": 2, "AllReduce": 10}},
      {"rank": 1, "host": "192.0.2.1", "pid": 101, "status": {"init_state": 0, "async_error": 6},
       "collective_counts": {"Broadcast": 2, "AllReduce": 9}}],
    "missing_ranks": [{"rank": 2, "host": "192.0.2.1", "pid": 102,
       "status": {"unresponsive": true, "considered_dead": true}}]}],
  "ras": {"collection_time_sec": 0.0, "timeouts_count": 0}})";

TEST(NcclRas, JsonSaysTheSame) {
  const auto dumps = read("SERVER PROTOCOL 2\nOK\n" + json + "\n");
  ASSERT_EQ(dumps.size(), 1u);
  EXPECT_EQ(dumps[0].ranks_expected, 3);
  ASSERT_EQ(dumps[0].launch_counts.size(), 3u);
  EXPECT_EQ(dumps[0].launch_counts[0].operation, "AllReduce");
  EXPECT_EQ(dumps[0].launch_counts[0].launched, 9u);
  EXPECT_EQ(dumps[0].launch_counts[0].named, (std::vector<int>{1}));
  EXPECT_EQ(dumps[0].launch_counts[2].named, (std::vector<int>{0, 1}));
  ASSERT_EQ(dumps[0].ranks.size(), 3u);
  EXPECT_EQ(dumps[0].ranks[1].statements.at(0), "async_error 6");
  EXPECT_EQ(dumps[0].ranks[2].rank, 2);
  EXPECT_TRUE(dumps[0].ranks[2].statements.at(0).starts_with("DEAD"));
}

TEST(NcclRas, EventsOfTheMonitorNameTheDead) {
  const auto text =
      read("[2026-01-19 13:07:07] PEER_DEAD: Process 1524345 on node 192.0.2.5 managing GPU 1\n");
  ASSERT_EQ(text.size(), 1u);
  EXPECT_EQ(text[0].ranks.at(0).process_id, 1524345);
  const auto event = read(R"({"event": "PEER_DEAD", "peer": {"host": "192.0.2.5", "pid": 77}})");
  ASSERT_EQ(event.size(), 1u);
  EXPECT_EQ(event[0].ranks.at(0).process_id, 77);
}

TEST(NcclRas, OtherTextIsNone) {
  EXPECT_FALSE(looks_like_nccl_ras("NCCL INFO Channel 00 : 0 1 2\n"));
  EXPECT_FALSE(read_nccl_ras({"x", "nothing"}));
}

}  // namespace
}  // namespace railgauge::observe
