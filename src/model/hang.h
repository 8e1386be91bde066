// What is known of a job that does not move: per rank the collectives it entered and finished, and
// where its threads stand. From PyTorch's flight recorder, NCCL's RAS, watchdog messages in logs,
// and stack dumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/source.h"

namespace railgauge::model {

// One collective or point-to-point operation, as one rank saw it.
struct CollectiveCall {
  std::string group;                      // process group or communicator: "default_pg", "0x7f…"
  std::optional<std::uint64_t> sequence;  // within the group, from 1
  bool point_to_point = false;            // counted on its own
  std::string operation;                  // "all_reduce", "send", in nccl-tests' words
  std::vector<std::vector<std::uint64_t>> input_sizes;  // shape of each tensor
  std::vector<std::vector<std::uint64_t>> output_sizes;
  std::string type;  // "bfloat16"
  enum class State : std::uint8_t { scheduled, started, completed } state = State::scheduled;
  std::string state_word;                 // as the source writes it
  std::string where;                      // innermost frame of the user's code: "train.py:214 step"
  std::optional<double> created_seconds;  // Unix time
  std::optional<double> started_seconds;
  std::optional<double> completed_seconds;
  std::optional<double> timeout_seconds;
  std::optional<int> peer;  // of send and recv: global rank, or that in the group if not known
  bool timed_out = false;   // the watchdog gave it up
  SourceRef source;
  friend bool operator==(const CollectiveCall&, const CollectiveCall&) = default;
};

// How far one rank came in one group, where a source gives counts instead of calls.
struct GroupProgress {
  std::string group;
  std::optional<std::uint64_t> enqueued;   // sequence of the last collective that was entered
  std::optional<std::uint64_t> completed;  // 0: none
  SourceRef source;
  friend bool operator==(const GroupProgress&, const GroupProgress&) = default;
};

// Ranks of one communicator that have launched one kind of operation equally often.
struct LaunchCount {
  std::string group;
  std::string operation;  // "AllReduce", or "collective" where kinds are not told apart
  std::uint64_t launched = 0;
  int ranks = 0;           // so many
  std::vector<int> named;  // which, in the communicator; empty where they are not named
  SourceRef source;
  friend bool operator==(const LaunchCount&, const LaunchCount&) = default;
};

// A thread's stack, innermost frame first.
struct Stack {
  std::string thread;  // "MainThread", "Thread 0x7f… (active)"
  std::vector<std::string> frames;
  SourceRef source;
  friend bool operator==(const Stack&, const Stack&) = default;
};

struct GroupOfRanks {
  std::string name;
  std::string description;
  std::vector<int> ranks;  // global, in the group's order; empty: not said
  std::optional<int> size;
  friend bool operator==(const GroupOfRanks&, const GroupOfRanks&) = default;
};

struct HangRank {
  std::optional<int> rank;  // global
  std::string host;
  std::optional<int> process_id;
  std::vector<CollectiveCall> calls;  // oldest first
  bool oldest_lost = false;           // the recorder's buffer was full: there were older calls
  std::vector<GroupProgress> progress;
  std::vector<Stack> stacks;
  std::vector<std::string> statements;  // "DEAD", "watchdog timeout", in the source's words
  SourceRef source;
  friend bool operator==(const HangRank&, const HangRank&) = default;
};

// A watchdog's message: which operation did not end in time.
struct WatchdogTimeout {
  std::optional<int> rank;
  std::string group;
  std::optional<std::uint64_t> sequence;
  std::string operation;
  std::optional<std::uint64_t> input_count;
  std::optional<std::uint64_t> output_count;
  std::optional<double> timeout_seconds;
  std::optional<double> ran_seconds;
  std::optional<std::uint64_t> last_enqueued;
  std::optional<std::uint64_t> last_completed;
  SourceRef source;
  friend bool operator==(const WatchdogTimeout&, const WatchdogTimeout&) = default;
};

// Everything read about one job that hangs; several files of one job add up to one of these.
struct HangDump {
  std::string kind;                   // "flight recorder", "NCCL RAS", "watchdog", "stacks"
  std::optional<int> ranks_expected;  // size of the job, where somebody said so
  std::vector<GroupOfRanks> groups;
  std::vector<HangRank> ranks;
  std::vector<WatchdogTimeout> timeouts;
  std::vector<LaunchCount> launch_counts;
  SourceRef source;
  friend bool operator==(const HangDump&, const HangDump&) = default;
};

}  // namespace railgauge::model
