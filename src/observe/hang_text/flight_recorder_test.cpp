#include "observe/hang_text/flight_recorder.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/hang_text/operation_name.h"
#include "observe/hang_text/test_pickle.h"
#include "observe/hang_text/user_frame.h"

namespace railgauge::observe {
namespace {

using namespace model;
using State = CollectiveCall::State;

Dict entry(int record, const char* name, int sequence, const char* state) {
  const bool done = std::string(state) == "completed";
  return {
      {"frames", List{Dict{{"name", "all_reduce"},
                           {"filename",
                            "/opt/venv/lib/python3.11/site-packages/torch/distributed/"
                            "distributed_c10d.py"},
                           {"line", 2696}},
                      Dict{{"name", "step"}, {"filename", "/home/user/train.py"}, {"line", 214}}}},
      {"record_id", record},
      {"pg_id", 0},
      {"process_group", List{"0", "default_pg"}},
      {"collective_seq_id", sequence},
      {"p2p_seq_id", 0},
      {"op_id", record + 1},
      {"profiling_name", name},
      {"time_created_ns", std::int64_t{1764400000000000000}},
      {"input_sizes", List{List{1024, 4}}},
      {"input_dtypes", List{"BFloat16"}},
      {"output_sizes", List{List{1024, 4}}},
      {"output_dtypes", List{"BFloat16"}},
      {"state", state},
      {"time_discovered_started_ns", PickleValue()},
      {"time_discovered_completed_ns",
       done ? PickleValue(std::int64_t{1764400001000000000}) : PickleValue()},
      {"retired", done},
      {"timeout_ms", 600000},
      {"is_p2p", false}};
}

Dict dump(List entries) {
  return {{"version", "2.4"},
          {"pg_config",
           Dict{{"0", Dict{{"name", "0"}, {"desc", "default_pg"}, {"ranks", "[0, 1, 2, 3]"}}}}},
          {"pg_status", Dict{{"0", Dict{{"last_enqueued_collective", 2},
                                        {"last_started_collective", 2},
                                        {"last_completed_collective", -1}}}}},
          {"entries", std::move(entries)}};
}

HangDump read(const std::string& name, const std::string& bytes) {
  const auto machine = read_flight_recorder({name, bytes});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? machine->hangs.at(0) : HangDump{};
}

TEST(FlightRecorder, PickleOfOneRank) {
  const std::string bytes = pickled(dump({entry(0, "nccl:all_reduce", 1, "completed"),
                                          entry(1, "nccl:_all_gather_base", 2, "scheduled")}));
  ASSERT_TRUE(looks_like_flight_recorder(bytes));
  const HangDump out = read("dumps/nccl_trace_rank_3", bytes);
  EXPECT_EQ(out.kind, "flight recorder");
  ASSERT_EQ(out.groups.size(), 1u);
  EXPECT_EQ(out.groups[0].name, "0");
  EXPECT_EQ(out.groups[0].description, "default_pg");
  EXPECT_EQ(out.groups[0].ranks, (std::vector<int>{0, 1, 2, 3}));
  ASSERT_EQ(out.ranks.size(), 1u);
  EXPECT_EQ(out.ranks[0].rank, 3);
  EXPECT_FALSE(out.ranks[0].oldest_lost);
  ASSERT_EQ(out.ranks[0].calls.size(), 2u);
  const CollectiveCall& first = out.ranks[0].calls[0];
  EXPECT_EQ(first.operation, "all_reduce");
  EXPECT_EQ(first.sequence, 1u);
  EXPECT_EQ(first.state, State::completed);
  EXPECT_EQ(first.where, "train.py:214 step");
  EXPECT_EQ(first.input_sizes, (std::vector<std::vector<std::uint64_t>>{{1024, 4}}));
  EXPECT_EQ(first.type, "BFloat16");
  EXPECT_EQ(first.created_seconds, 1764400000.0);
  EXPECT_EQ(first.completed_seconds, 1764400001.0);
  EXPECT_EQ(first.timeout_seconds, 600.0);
  EXPECT_FALSE(first.timed_out);
  const CollectiveCall& second = out.ranks[0].calls[1];
  EXPECT_EQ(second.operation, "all_gather");
  EXPECT_EQ(second.state, State::scheduled);
  ASSERT_EQ(out.ranks[0].progress.size(), 1u);
  EXPECT_EQ(out.ranks[0].progress[0].enqueued, 2u);
  EXPECT_EQ(out.ranks[0].progress[0].completed, 0u);
}

TEST(FlightRecorder, RetiredWithoutAnEndIsTimedOut) {
  Dict one = entry(0, "nccl:all_reduce", 1, "started");
  for (auto& [key, value] : one)
    if (key == "retired") value = true;
  const HangDump out = read("rank_0", pickled(dump({one})));
  EXPECT_TRUE(out.ranks.at(0).calls.at(0).timed_out);
  EXPECT_EQ(out.ranks[0].calls[0].state, State::started);
}

TEST(FlightRecorder, SendsAndReceivesNameTheirPeerByGlobalRank) {
  Dict send = entry(5, "nccl:send 1->0", 0, "scheduled");
  for (auto& [key, value] : send) {
    if (key == "is_p2p") value = true;
    if (key == "p2p_seq_id") value = 9;
  }
  Dict whole = dump({send});
  for (auto& [key, value] : whole)
    if (key == "pg_config")
      value = Dict{{"0", Dict{{"name", "0"}, {"desc", "pp"}, {"ranks", "[4, 6]"}}}};
  const HangDump out = read("nccl_trace_rank_6", pickled(whole));
  const CollectiveCall& call = out.ranks.at(0).calls.at(0);
  EXPECT_TRUE(call.point_to_point);
  EXPECT_EQ(call.operation, "send");
  EXPECT_EQ(call.sequence, 9u);
  EXPECT_EQ(call.peer, 4);
  EXPECT_TRUE(out.ranks[0].oldest_lost);
}

TEST(FlightRecorder, CallsOfACoalescedLaunchTakeItsState) {
  const auto p2p = [](int record, const char* name, const char* state) {
    Dict out = entry(record, name, 0, state);
    for (auto& [key, value] : out) {
      if (key == "is_p2p") value = true;
      if (key == "p2p_seq_id") value = 3;
    }
    return out;
  };
  const HangDump out = read("rank0", pickled(dump({p2p(0, "nccl:send 0->1", "scheduled"),
                                                   p2p(1, "nccl:recv 0<-1", "scheduled"),
                                                   p2p(2, "nccl:coalesced", "completed")})));
  ASSERT_EQ(out.ranks.at(0).calls.size(), 3u);
  EXPECT_EQ(out.ranks[0].calls[0].state, State::completed);
  EXPECT_EQ(out.ranks[0].calls[1].state, State::completed);
}

constexpr const char* as_json = R"({
  "version": "2.10", "comm_lib_version": "2.27.5", "rank": 2, "host_name": "node07",
  "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1, 2]"}},
  "pg_status": {"0": {"last_enqueued_collective": "7", "last_started_collective": "7",
                      "last_completed_collective": "6"}},
  "entries": [{"record_id": 40, "pg_id": 0, "process_group": ["0", "default_pg"],
    "collective_seq_id": 7, "p2p_seq_id": 0, "op_id": 8, "profiling_name": "nccl:reduce_scatter",
    "time_created_ns": 1764400000000000000, "input_sizes": [[8], [8], [8]], "input_dtypes": ["Float"],
    "output_sizes": [[8]], "output_dtypes": ["Float"], "state": "started",
    "time_discovered_started_ns": 1764400000100000000, "time_discovered_completed_ns": 0,
    "retired": false, "timeout_ms": 600000, "is_p2p": false}]})";

TEST(FlightRecorder, JsonFormSaysTheSame) {
  ASSERT_TRUE(looks_like_flight_recorder(as_json));
  const HangDump out = read("trace.json", as_json);
  ASSERT_EQ(out.ranks.size(), 1u);
  EXPECT_EQ(out.ranks[0].rank, 2);
  EXPECT_EQ(out.ranks[0].host, "node07");
  EXPECT_TRUE(out.ranks[0].oldest_lost);
  ASSERT_EQ(out.ranks[0].calls.size(), 1u);
  const CollectiveCall& call = out.ranks[0].calls[0];
  EXPECT_EQ(call.operation, "reduce_scatter");
  EXPECT_EQ(call.state, State::started);
  EXPECT_FALSE(call.completed_seconds);
  EXPECT_EQ(call.input_sizes.size(), 3u);
  EXPECT_EQ(out.ranks[0].progress.at(0).enqueued, 7u);
  EXPECT_EQ(out.ranks[0].progress.at(0).completed, 6u);
}

TEST(FlightRecorder, VersionOneWithoutGroupNamesAndPointToPointFlags) {
  const HangDump out =
      read("rank_1", pickled(Dict{{"version", "1.1"},
                                  {"entries", List{Dict{{"record_id", 0},
                                                        {"pg_id", 1},
                                                        {"seq_id", 12},
                                                        {"profiling_name", "nccl:broadcast"},
                                                        {"state", "scheduled"}}}}}));
  const CollectiveCall& call = out.ranks.at(0).calls.at(0);
  EXPECT_EQ(call.group, "1");
  EXPECT_EQ(call.sequence, 12u);
  EXPECT_EQ(call.operation, "broadcast");
  EXPECT_FALSE(call.point_to_point);
}

TEST(FlightRecorder, ARankThatCannotBeToldIsRemarked) {
  const auto machine =
      read_flight_recorder({"trace", pickled(dump({entry(0, "nccl:barrier", 1, "started")}))});
  ASSERT_TRUE(machine);
  EXPECT_FALSE(machine->hangs[0].ranks[0].rank);
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_TRUE(contains(machine->remarks[0].text, "name it nccl_trace_rank_N"));
}

TEST(FlightRecorder, EntriesWithoutANameAreCounted) {
  const auto machine = read_flight_recorder(
      {"rank0", pickled(dump({Dict{{"record_id", 0}}, entry(1, "nccl:barrier", 1, "started")}))});
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->hangs[0].ranks[0].calls.size(), 1u);
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_TRUE(contains(machine->remarks[0].text, "1 entries"));
}

TEST(FlightRecorder, OtherPicklesAreErrors) {
  const auto other = read_flight_recorder({"weights.pkl", pickled(Dict{{"weights", 1}})});
  ASSERT_FALSE(other);
  EXPECT_TRUE(contains(other.error().text(), "no dump of the flight recorder"));
  EXPECT_FALSE(looks_like_flight_recorder("NCCL version 2.27"));
  EXPECT_FALSE(looks_like_flight_recorder("{\"name\": 1}"));
}

TEST(RankOfFileName, IsTheNumberAfterRankOrTheLast) {
  EXPECT_EQ(rank_of_file_name("/tmp/nccl_trace_rank_17"), 17);
  EXPECT_EQ(rank_of_file_name("job.tar!node2/comm_lib_trace_rank_0"), 0);
  EXPECT_EQ(rank_of_file_name("Rank3.json"), 3);
  EXPECT_EQ(rank_of_file_name("rank-12_host4.pkl"), 12);
  EXPECT_EQ(rank_of_file_name("trace_7.pkl"), 7);
  EXPECT_EQ(rank_of_file_name("trace.pkl"), std::nullopt);
}

TEST(UserFrame, IsTheInnermostThatIsNeitherPyTorchsNorAPackages) {
  const std::vector<CodeFrame> frames{
      {"all_reduce", "/opt/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py",
       2696},
      {"sync", "/opt/lib/python3.11/site-packages/deepspeed/engine.py", 12},
      {"step", "/home/user/train.py", 214},
      {"<module>", "/home/user/main.py", 3}};
  EXPECT_EQ(user_frame(frames), "train.py:214 step");
  EXPECT_EQ(user_frame(std::span(frames).first(2)), "engine.py:12 sync");
  EXPECT_EQ(user_frame(std::span(frames).first(1)), "distributed_c10d.py:2696 all_reduce");
  EXPECT_EQ(user_frame({}), "");
}

TEST(OperationName, IsOneWordForOneCollective) {
  EXPECT_EQ(operation_name("nccl:_all_gather_base"), "all_gather");
  EXPECT_EQ(operation_name("_ALLGATHER_BASE"), "all_gather");
  EXPECT_EQ(operation_name("REDUCE_SCATTER"), "reduce_scatter");
  EXPECT_EQ(operation_name("ALLTOALL_BASE"), "all_to_all");
  EXPECT_EQ(operation_name("nccl:all_reduce_barrier"), "barrier");
  EXPECT_EQ(operation_name("nccl:coalesced"), "coalesced");
}

}  // namespace
}  // namespace railgauge::observe
