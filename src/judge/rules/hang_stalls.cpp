#include "judge/rules/hang_stalls.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_pairs.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

// The lowest sequence that some rank entered and did not finish.
const CollectiveCall* first_pending(const JobGroup& group) {
  const CollectiveCall* first = nullptr;
  for (const auto& [rank, member] : group.members) {
    const CollectiveCall* pending = member.pending();
    if (pending != nullptr && (first == nullptr || *pending->sequence < *first->sequence))
      first = pending;
  }
  return first;
}

std::vector<int> ranks_of(const JobGroup& group) {
  std::vector<int> out = group.ranks;
  if (out.empty())
    for (const auto& [rank, member] : group.members) out.push_back(rank);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void place_rank(const JobGroup& group, int rank, std::uint64_t sequence, Stall& stall) {
  const auto found = group.members.find(rank);
  if (found == group.members.end() || !found->second.entered)
    stall.unknown.push_back(rank);
  else if (found->second.completed >= sequence)
    stall.done.push_back(rank);
  else if (*found->second.entered >= sequence)
    stall.waiting.push_back(rank);
  else
    stall.late.push_back(rank);
}

// A rank whose GPU did not begin what the GPUs of others did: it is late on the GPU.
void find_not_started(const JobGroup& group, std::uint64_t sequence, Stall& stall) {
  if (!stall.late.empty() || !stall.done.empty()) return;
  std::vector<int> scheduled;
  bool started = false;
  for (const int rank : stall.waiting) {
    const CollectiveCall* call = group.members.at(rank).at(sequence);
    if (call == nullptr) return;
    started |= call->state == CollectiveCall::State::started;
    if (call->state == CollectiveCall::State::scheduled) scheduled.push_back(rank);
  }
  if (!started || scheduled.empty()) return;
  stall.late = stall.not_started = scheduled;
  std::erase_if(stall.waiting, [&](int rank) {
    return std::find(scheduled.begin(), scheduled.end(), rank) != scheduled.end();
  });
}

void find_evidence(const Job& job, const JobGroup& group, std::uint64_t sequence, Stall& stall) {
  for (const int rank : stall.waiting) {
    const CollectiveCall* call = group.members.at(rank).at(sequence);
    if (call == nullptr) continue;
    if (stall.call == nullptr || stall.call->where.empty()) stall.call = call;
    stall.gave_up |= call->timed_out;
    if (call->created_seconds && job.last_seconds > *call->created_seconds)
      stall.waited_seconds =
          std::max(stall.waited_seconds.value_or(0), job.last_seconds - *call->created_seconds);
  }
  for (const WatchdogTimeout* timeout : job.timeouts)
    if (timeout->sequence == sequence && (timeout->group == group.name || timeout->group.empty()))
      stall.gave_up = true;
}

std::optional<Stall> stall_of(const Job& job, std::size_t at) {
  const JobGroup& group = job.groups[at];
  const CollectiveCall* first = first_pending(group);
  if (first == nullptr) return std::nullopt;
  Stall stall;
  stall.group = at;
  for (const int rank : ranks_of(group)) place_rank(group, rank, *first->sequence, stall);
  // What ended somewhere was entered everywhere: the dump of a late rank is older than the others.
  if (!stall.late.empty() && !stall.done.empty() && needs_all_ranks(first->operation))
    return std::nullopt;
  find_not_started(group, *first->sequence, stall);
  find_evidence(job, group, *first->sequence, stall);
  if (stall.call == nullptr) stall.call = first;
  return stall;
}

bool holds(const std::vector<int>& ranks, int rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void connect(std::vector<Stall>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t kept = 0;
    for (const int rank : all[i].late) {
      bool waits = false;
      for (std::size_t j = 0; j < all.size(); ++j) {
        if (i == j || !holds(all[j].waiting, rank)) continue;
        waits = true;
        if (std::find(all[i].behind.begin(), all[i].behind.end(), j) == all[i].behind.end())
          all[i].behind.push_back(j);
      }
      kept += waits ? 1 : 0;
    }
    all[i].kept_by_others = !all[i].late.empty() && kept == all[i].late.size();
  }
}

}  // namespace

bool needs_all_ranks(const std::string& operation) {
  return operation == "all_reduce" || operation == "all_gather" || operation == "reduce_scatter" ||
         operation == "all_to_all" || operation == "barrier";
}

std::vector<Stall> stalls(const Job& job) {
  std::vector<Stall> out;
  for (std::size_t i = 0; i < job.groups.size(); ++i)
    if (auto stall = stall_of(job, i)) out.push_back(std::move(*stall));
  for (Stall& stall : pair_stalls(job)) out.push_back(std::move(stall));
  connect(out);
  return out;
}

std::vector<std::size_t> circle(const std::vector<Stall>& all) {
  // A circle is where no root can be reached; following the first edge from there must come round.
  std::vector<bool> reaches_root(all.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (reaches_root[i]) continue;
      const bool now =
          all[i].is_root() || std::any_of(all[i].behind.begin(), all[i].behind.end(),
                                          [&](std::size_t j) { return reaches_root[j]; });
      if (now) reaches_root[i] = again = true;
    }
  }
  const auto lost = std::find(reaches_root.begin(), reaches_root.end(), false);
  if (lost == reaches_root.end()) return {};
  std::vector<std::size_t> path{static_cast<std::size_t>(lost - reaches_root.begin())};
  for (;;) {
    const std::size_t next = all[path.back()].behind.front();
    const auto seen = std::find(path.begin(), path.end(), next);
    if (seen != path.end()) return {seen, path.end()};
    path.push_back(next);
  }
}

std::string text(const Job& job, const Stall& stall) {
  const JobGroup& group = job.groups[stall.group];
  if (!stall.point_to_point) return fmt::format("{} of {}", call_text(*stall.call), group.text());
  const bool send = stall.call->operation == "send";
  return fmt::format("{} {} rank {} (by rank {}, {})", stall.call->operation, send ? "to" : "from",
                     stall.call->peer.value_or(-1), stall.waiting.empty() ? -1 : stall.waiting[0],
                     group.text());
}

}  // namespace railgauge::judge::hang
