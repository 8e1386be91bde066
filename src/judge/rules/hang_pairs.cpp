#include "judge/rules/hang_pairs.h"

#include <algorithm>
#include <tuple>

#include "judge/rules/hang_stalls.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

// All operations of one direction between two ranks, as one of them recorded them.
struct Side {
  std::vector<const CollectiveCall*> calls;
  std::vector<const CollectiveCall*> open;  // those that did not end, oldest first
};

struct Pair {
  Side sends;
  Side receives;
};

using Key = std::tuple<std::string, int, int>;  // group, from, to

// What is older than an operation of the same direction that ended has ended, too.
void find_open(Side& side) {
  for (const CollectiveCall* call : side.calls) {
    if (call->state == CollectiveCall::State::completed)
      side.open.clear();
    else
      side.open.push_back(call);
  }
}

std::map<Key, Pair> pairs_of(const Job& job) {
  std::map<Key, Pair> out;
  for (const auto& [number, rank] : job.ranks)
    for (const CollectiveCall* call : rank.point_to_point) {
      if (!call->peer) continue;
      if (call->operation == "send")
        out[{call->group, number, *call->peer}].sends.calls.push_back(call);
      if (call->operation == "recv")
        out[{call->group, *call->peer, number}].receives.calls.push_back(call);
    }
  for (auto& [key, pair] : out) {
    find_open(pair.sends);
    find_open(pair.receives);
  }
  return out;
}

std::size_t group_named(const Job& job, const std::string& name, int a, int b) {
  std::size_t fallback = 0;
  for (std::size_t i = 0; i < job.groups.size(); ++i) {
    if (job.groups[i].name != name) continue;
    fallback = i;
    const auto& ranks = job.groups[i].ranks;
    const auto in = [&](int rank) {
      return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    };
    if (in(a) && in(b)) return i;
  }
  return fallback;
}

// Whether the sender made as many sends as the receiver opened receives. A send that fits into
// NCCL's buffers ends before it is received.
bool sent_enough(const Job& job, const Pair& pair, int from, int to) {
  const auto lost = [&](int rank) {
    const auto& calls = job.ranks.at(rank).calls;
    return job.ranks.at(rank).oldest_lost && !calls.empty();
  };
  if (!lost(from) && !lost(to)) return pair.sends.calls.size() >= pair.receives.calls.size();
  if (pair.sends.calls.empty()) return false;
  const auto sent = pair.sends.calls.back()->created_seconds;
  const auto asked = pair.receives.open.back()->created_seconds;
  return sent && asked && *sent > *asked - 1;
}

void add_evidence(const Job& job, Stall& stall) {
  stall.gave_up |= stall.call->timed_out;
  if (stall.call->created_seconds && job.last_seconds > *stall.call->created_seconds)
    stall.waited_seconds = job.last_seconds - *stall.call->created_seconds;
}

std::optional<Stall> stall_of(const Job& job, const Pair& pair, int from, int to) {
  const std::size_t sends = pair.sends.open.size();
  const std::size_t receives = pair.receives.open.size();
  if (sends == 0 && receives == 0) return std::nullopt;
  const auto dumped = [&](int rank) {
    const auto found = job.ranks.find(rank);
    return found != job.ranks.end() && !found->second.calls.empty();
  };
  Stall stall;
  stall.point_to_point = true;
  if (sends > 0 && receives > 0) {  // the oldest of both belong together
    stall.call = pair.receives.open.front();
    stall.waiting = {to, from};
  } else if (sends > 0) {
    stall.call = pair.sends.open.front();
    stall.waiting = {from};
    (dumped(to) ? stall.late : stall.unknown) = {to};
  } else {
    stall.call = pair.receives.open.front();
    stall.waiting = {to};
    if (!dumped(from))
      stall.unknown = {from};
    else if (!sent_enough(job, pair, from, to))
      stall.late = {from};
  }
  add_evidence(job, stall);
  return stall;
}

}  // namespace

std::vector<Stall> pair_stalls(const Job& job) {
  std::vector<Stall> out;
  for (const auto& [key, pair] : pairs_of(job)) {
    const auto& [group, from, to] = key;
    auto stall = stall_of(job, pair, from, to);
    if (!stall) continue;
    stall->group = group_named(job, group, from, to);
    if (job.groups.empty()) continue;
    out.push_back(std::move(*stall));
  }
  return out;
}

}  // namespace railgauge::judge::hang
