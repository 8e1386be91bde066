// The jobs that hang, put together from everything that was read of them: dumps of several ranks,
// watchdog messages, stacks. Used by the rules hang*.cpp only.
//   for (const JobGroup& group : job.groups) for (const auto& [rank, member] : group.members) …
// A view: it points into the machine, which must outlive it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/machine.h"

namespace railgauge::judge::hang {

using model::CollectiveCall;

// One rank in one group.
struct Member {
  std::vector<const CollectiveCall*> calls;  // collectives, by sequence
  std::optional<std::uint64_t> entered;      // the last collective; 0: none; nothing: not known
  std::uint64_t completed = 0;               // the last one that ended, as far as is known
  // The oldest that was entered and did not end.
  const CollectiveCall* pending() const;
  const CollectiveCall* at(std::uint64_t sequence) const;
};

struct JobGroup {
  std::string name;
  std::string description;
  std::vector<int> ranks;         // all that belong to it; empty: not known
  std::map<int, Member> members;  // of which something is known
  std::string text() const;       // "group default_pg", "group 3"
};

struct JobRank {
  std::string host;
  std::optional<int> process_id;
  bool oldest_lost = false;  // its recorder was full
  bool dumped = false;       // its flight recorder was read, or its watchdog spoke
  std::vector<const CollectiveCall*> point_to_point;  // oldest first
  std::vector<const CollectiveCall*> calls;           // all of its recorder, oldest first
  std::vector<std::string> statements;
  model::SourceRef source;
};

// A process whose stacks were read; its rank where it could be told.
struct StackProcess {
  std::optional<int> rank;
  std::optional<int> process_id;
  const std::vector<model::Stack>* stacks = nullptr;
  model::SourceRef source;
};

struct Job {
  std::vector<StackProcess> processes;
  std::map<int, JobRank> ranks;
  std::vector<JobGroup> groups;
  bool has_recorder = false;  // dumps of the flight recorder
  std::set<int> heard;        // ranks that wrote to a log that was read
  std::vector<const model::WatchdogTimeout*> timeouts;
  std::vector<std::unique_ptr<CollectiveCall>> made;  // calls that stand for watchdog messages
  double last_seconds = 0;                            // the latest time that any dump names

  std::set<int> dumped() const;
  // "rank 3 (node07, process 1906)"
  std::string text(int rank) const;
};

// All dumps of one machine are taken as one job; of two dumps of one rank the later one counts.
Job job_of(const model::Machine& machine);

// "3", "0-2, 5", at most a dozen runs.
std::string ranks_text(const std::vector<int>& ranks);
// "rank 3", "ranks 0-2, 5"
std::string ranks_words(const std::vector<int>& ranks);
// "all_reduce #1580"
std::string call_text(const CollectiveCall& call);

}  // namespace railgauge::judge::hang
