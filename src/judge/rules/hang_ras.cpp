// NCC101 by NCCL's RAS: ranks of a communicator that launched fewer operations than others. One
// answer is a moment of a job that may well move; two answers with the same counts are not.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/hang_rules.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

using Key = std::pair<std::string, std::string>;  // communicator, operation
using Counts = std::map<Key, std::vector<const LaunchCount*>>;

Counts counts_of(const HangDump& dump) {
  Counts out;
  for (const LaunchCount& count : dump.launch_counts)
    out[{count.group, count.operation}].push_back(&count);
  for (auto& [key, list] : out)
    std::stable_sort(list.begin(), list.end(),
                     [](const auto* a, const auto* b) { return a->launched < b->launched; });
  return out;
}

bool same(const std::vector<const LaunchCount*>& a, const std::vector<const LaunchCount*>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto* x, const auto* y) {
    return x->launched == y->launched && x->ranks == y->ranks;
  });
}

std::string who(const LaunchCount& count) {
  if (!count.named.empty()) return ranks_words(count.named);
  return fmt::format("{} rank{}", count.ranks, count.ranks == 1 ? "" : "s");
}

// "rank 21 (process 3487984 on 172.16.64.213)", where one rank alone is behind.
std::string process_of(const HangDump& dump, const LaunchCount& count) {
  if (count.named.size() != 1) return {};
  for (const HangRank& rank : dump.ranks)
    if (rank.rank == count.named[0] && rank.process_id)
      return fmt::format(" (process {} on {})", *rank.process_id, rank.host);
  return {};
}

void report(const Machine& machine, const HangDump& dump, const Key& key,
            const std::vector<const LaunchCount*>& list, bool stands_still, Verdicts& out) {
  const LaunchCount& behind = *list.front();
  const LaunchCount& ahead = *list.back();
  const std::string subject =
      fmt::format("{}{} of communicator {}", who(behind), process_of(dump, behind), key.first);
  Finding& finding = out.fail(
      subject,
      fmt::format("{} launched {} {} operations, {} {}: {}", who(behind), behind.launched,
                  key.second, who(ahead), ahead.launched,
                  stands_still ? "the job does not move"
                               : "if a second query gives the same counts, it hangs here"));
  if (!stands_still) {
    finding.severity = Severity::note;
    finding.weight = 40;
  }
  for (const LaunchCount* count : list)
    if (finding.evidence.size() < 8)
      finding.evidence.push_back(evidence(machine, who(*count), fmt::format("{}", count->launched),
                                          fmt::format("{}", ahead.launched), count->source));
  finding.impact.text = "those ahead wait for those behind";
  finding.remedy = {{.text = "ask RAS again after some seconds: counts that rise are no hang",
                     .command = "ncclras -v"},
                    {.text = "look where those behind stand",
                     .command = "sudo py-spy dump --native --pid PID",
                     .needs_root = true}};
}

}  // namespace

void behind_by_ras(const Machine& machine, bool timed_out, Verdicts& out) {
  std::vector<const HangDump*> dumps;
  for (const HangDump& dump : machine.hangs)
    if (dump.kind == "NCCL RAS" && !dump.groups.empty()) dumps.push_back(&dump);
  if (dumps.empty()) return;
  out.pass();
  const Counts last = counts_of(*dumps.back());
  const Counts before = dumps.size() > 1 ? counts_of(*dumps[dumps.size() - 2]) : Counts{};
  for (const auto& [key, list] : last) {
    if (list.size() < 2 || list.front()->launched == list.back()->launched) continue;
    const auto earlier = before.find(key);
    if (earlier != before.end() && !same(earlier->second, list)) continue;  // it moves
    report(machine, *dumps.back(), key, list, timed_out || earlier != before.end(), out);
  }
}

}  // namespace railgauge::judge::hang
