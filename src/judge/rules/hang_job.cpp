#include "judge/rules/hang_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace railgauge::judge::hang {

using namespace model;

namespace {

constexpr std::string_view recorder_kind = "flight recorder";

// The latest time that a dump of one rank names: of two dumps of one rank the later one counts.
double last_time(const HangRank& rank) {
  double last = 0;
  for (const CollectiveCall& call : rank.calls)
    for (const auto& time : {call.created_seconds, call.started_seconds, call.completed_seconds})
      last = std::max(last, time.value_or(0));
  return last;
}

class Builder {
 public:
  explicit Builder(const Machine& machine) : machine_(machine) {}

  Job build() {
    for (const HangDump& dump : machine_.hangs)
      if (dump.kind == recorder_kind) choose(dump);
    for (const auto& [number, chosen] : chosen_) take(number, *chosen.dump, *chosen.rank);
    for (const HangDump& dump : machine_.hangs)
      if (dump.kind == "watchdog") take_watchdog(dump);
    for (const HangDump& dump : machine_.hangs)
      if (dump.kind == "stacks") take_stacks(dump);
    for (JobGroup& group : job_.groups)
      for (auto& [rank, member] : group.members) settle(member);
    return std::move(job_);
  }

 private:
  struct Chosen {
    const HangDump* dump;
    const HangRank* rank;
    double time;
  };

  void choose(const HangDump& dump) {
    for (const HangRank& rank : dump.ranks) {
      if (!rank.rank) continue;
      const Chosen one{&dump, &rank, last_time(rank)};
      const auto [place, added] = chosen_.try_emplace(*rank.rank, one);
      if (!added && place->second.time < one.time) place->second = one;
      job_.last_seconds = std::max(job_.last_seconds, one.time);
    }
  }

  // A name that two sets of ranks bear is two groups.
  JobGroup& group(const std::string& name, const GroupOfRanks* said) {
    static const std::vector<int> none;
    const std::vector<int>& ranks = said != nullptr ? said->ranks : none;
    const auto [place, added] = places_.try_emplace({name, ranks}, job_.groups.size());
    if (added) {
      // A source that names no ranks means the group that another describes.
      for (std::size_t i = 0; i < job_.groups.size(); ++i)
        if (job_.groups[i].name == name && (ranks.empty() || job_.groups[i].ranks.empty())) {
          place->second = i;
          if (!ranks.empty()) job_.groups[i].ranks = ranks;
          return described(job_.groups[i], said);
        }
      JobGroup next;
      next.name = name;
      next.ranks = ranks;
      job_.groups.push_back(std::move(next));
    }
    return described(job_.groups[place->second], said);
  }

  static JobGroup& described(JobGroup& group, const GroupOfRanks* said) {
    if (said != nullptr && group.description.empty()) group.description = said->description;
    return group;
  }

  static const GroupOfRanks* said(const HangDump& dump, const std::string& name) {
    for (const GroupOfRanks& group : dump.groups)
      if (group.name == name) return &group;
    return nullptr;
  }

  void take(int number, const HangDump& dump, const HangRank& from) {
    job_.has_recorder = true;
    JobRank& rank = job_.ranks[number];
    rank.dumped = true;
    rank.oldest_lost = from.oldest_lost;
    rank.host = from.host;
    rank.process_id = from.process_id;
    rank.source = from.source;
    std::map<std::string, std::size_t> known;  // group's name -> its place in the job
    const auto place = [&](const std::string& name) -> JobGroup& {
      const auto found = known.find(name);
      if (found != known.end()) return job_.groups[found->second];
      JobGroup& out = group(name, said(dump, name));
      known.emplace(name, static_cast<std::size_t>(&out - job_.groups.data()));
      return out;
    };
    for (const GroupOfRanks& one : dump.groups) {
      JobGroup& here = place(one.name);
      const bool belongs = here.ranks.empty() || std::find(here.ranks.begin(), here.ranks.end(),
                                                           number) != here.ranks.end();
      if (belongs && !here.ranks.empty()) here.members[number];
    }
    for (const CollectiveCall& call : from.calls) {
      rank.calls.push_back(&call);
      if (call.point_to_point)
        rank.point_to_point.push_back(&call);
      else
        place(call.group).members[number].calls.push_back(&call);
    }
    take_progress(number, from, place);
    for (const auto& [name, at] : known) {
      auto member = job_.groups[at].members.find(number);
      if (member != job_.groups[at].members.end() && !member->second.entered && !from.oldest_lost)
        member->second.entered = 0;  // nothing was lost, so nothing was entered
    }
  }

  template <class Place>
  void take_progress(int number, const HangRank& from, const Place& place) {
    for (const GroupProgress& progress : from.progress) {
      Member& member = place(progress.group).members[number];
      if (progress.enqueued)
        member.entered = std::max(member.entered.value_or(0), *progress.enqueued);
      member.completed = std::max(member.completed, progress.completed.value_or(0));
    }
  }

  void take_watchdog(const HangDump& dump) {
    const auto place = [&](const std::string& name) -> JobGroup& {
      return group(name, said(dump, name));
    };
    for (const HangRank& rank : dump.ranks) {
      if (!rank.rank) continue;
      job_.heard.insert(*rank.rank);
      JobRank& here = job_.ranks[*rank.rank];
      if (here.source.index == 0) here.source = rank.source;
      if (!here.process_id) here.process_id = rank.process_id;
      append(here.statements, rank.statements);
      if (!rank.progress.empty()) here.dumped = true;
      take_progress(*rank.rank, rank, place);
    }
    for (const WatchdogTimeout& timeout : dump.timeouts) {
      job_.timeouts.push_back(&timeout);
      if (timeout.rank && timeout.sequence) stand_for(timeout, place(timeout.group));
    }
  }

  // A message of the watchdog is a call that did not end, unless the recorder has it.
  void stand_for(const WatchdogTimeout& timeout, JobGroup& group) {
    JobRank& rank = job_.ranks[*timeout.rank];
    Member& member = group.members[*timeout.rank];
    rank.dumped = true;
    if (timeout.operation == "send" || timeout.operation == "recv") return;
    for (const CollectiveCall* known : member.calls)
      if (known->sequence == timeout.sequence) return;
    auto call = std::make_unique<CollectiveCall>();
    call->group = group.name;
    call->sequence = timeout.sequence;
    call->operation = timeout.operation;
    call->state = CollectiveCall::State::started;
    call->state_word = "timed out";
    if (timeout.input_count) call->input_sizes = {{*timeout.input_count}};
    if (timeout.output_count) call->output_sizes = {{*timeout.output_count}};
    call->timeout_seconds = timeout.timeout_seconds;
    call->timed_out = true;
    call->source = timeout.source;
    member.calls.push_back(call.get());
    rank.calls.push_back(call.get());
    job_.made.push_back(std::move(call));
  }

  void take_stacks(const HangDump& dump) {
    for (const HangRank& from : dump.ranks) {
      const auto number = from.rank ? from.rank : rank_of_process(from.process_id);
      job_.processes.push_back({number, from.process_id, &from.stacks, from.source});
      if (!number) continue;
      JobRank& rank = job_.ranks[*number];
      if (!rank.process_id) rank.process_id = from.process_id;
      if (rank.source.index == 0) rank.source = from.source;
    }
  }

  // NCCL's log and RAS name processes together with ranks.
  std::optional<int> rank_of_process(std::optional<int> process_id) const {
    if (!process_id) return std::nullopt;
    for (const auto& [number, rank] : job_.ranks)
      if (rank.process_id == process_id) return number;
    for (const NcclRun& run : machine_.nccl_runs)
      for (const NcclRank& rank : run.ranks)
        if (rank.process_id == process_id && rank.rank) return rank.rank;
    for (const HangDump& dump : machine_.hangs)
      for (const HangRank& rank : dump.ranks)
        if (rank.process_id == process_id && rank.rank) return rank.rank;
    return std::nullopt;
  }

  static void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  // Calls of one group end in order: what stands before a call that ended has ended.
  static void settle(Member& member) {
    std::stable_sort(member.calls.begin(), member.calls.end(), [](const auto* a, const auto* b) {
      return a->sequence.value_or(0) < b->sequence.value_or(0);
    });
    for (const CollectiveCall* call : member.calls) {
      if (!call->sequence) continue;
      member.entered = std::max(member.entered.value_or(0), *call->sequence);
      if (call->state == CollectiveCall::State::completed)
        member.completed = std::max(member.completed, *call->sequence);
    }
  }

  const Machine& machine_;
  Job job_;
  std::map<int, Chosen> chosen_;
  std::map<std::pair<std::string, std::vector<int>>, std::size_t> places_;
};

}  // namespace

const CollectiveCall* Member::pending() const {
  for (const CollectiveCall* call : calls)
    if (call->sequence && *call->sequence > completed) return call;
  return nullptr;
}

const CollectiveCall* Member::at(std::uint64_t sequence) const {
  const auto found = std::lower_bound(
      calls.begin(), calls.end(), sequence,
      [](const auto* call, std::uint64_t wanted) { return call->sequence.value_or(0) < wanted; });
  return found != calls.end() && (*found)->sequence == sequence ? *found : nullptr;
}

std::string JobGroup::text() const {
  if (!description.empty()) return "group " + description;
  return name.empty() ? std::string("a group") : "group " + name;
}

std::set<int> Job::dumped() const {
  std::set<int> out;
  for (const auto& [number, rank] : ranks)
    if (rank.dumped) out.insert(number);
  return out;
}

std::string Job::text(int number) const {
  const auto found = ranks.find(number);
  std::string inside = found == ranks.end() ? "" : found->second.host;
  if (found != ranks.end() && found->second.process_id)
    inside += fmt::format("{}process {}", inside.empty() ? "" : ", ", *found->second.process_id);
  return inside.empty() ? fmt::format("rank {}", number)
                        : fmt::format("rank {} ({})", number, inside);
}

Job job_of(const Machine& machine) { return Builder(machine).build(); }

std::string ranks_text(const std::vector<int>& ranks) {
  constexpr int most_runs = 12;
  std::string out;
  int runs = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (runs++ == most_runs) return out + fmt::format(" and {} more", ranks.size() - i);
    out += fmt::format("{}{}", out.empty() ? "" : ", ", ranks[i]);
    if (last > i) out += fmt::format("{}{}", last == i + 1 ? ", " : "-", ranks[last]);
    i = last;
  }
  return out;
}

std::string ranks_words(const std::vector<int>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + ranks_text(ranks);
}

std::string call_text(const CollectiveCall& call) {
  return call.sequence ? fmt::format("{} #{}", call.operation, *call.sequence) : call.operation;
}

}  // namespace railgauge::judge::hang
