// NCC105: the watchdog's time ran out. NCC106: all ranks entered an operation and it did not end.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_rules.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

// A training step is seconds; a collective that is older than this does not end. A guess.
constexpr double long_seconds = 60;

std::string group_words(const WatchdogTimeout& timeout, const Job& job) {
  if (timeout.group.empty()) return "";
  for (const JobGroup& group : job.groups)
    if (group.name == timeout.group) return " of " + group.text();
  return " of group " + timeout.group;
}

void report_timeouts(const Machine& machine, const Job& job,
                     const std::vector<const WatchdogTimeout*>& list, Verdicts& out) {
  const WatchdogTimeout& first = *list.front();
  std::vector<int> ranks;
  for (const WatchdogTimeout* timeout : list)
    if (timeout->rank) ranks.push_back(*timeout->rank);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  const std::string what = fmt::format("{}{}{}", first.operation,
                                       first.sequence ? fmt::format(" #{}", *first.sequence) : "",
                                       group_words(first, job));
  Finding& finding =
      out.fail(ranks.empty() ? std::string("a rank") : ranks_words(ranks),
               fmt::format("{} waited {:.0f} s in {} until the watchdog ended the job",
                           ranks.empty() ? std::string("a rank") : ranks_words(ranks),
                           first.ran_seconds.value_or(first.timeout_seconds.value_or(0)), what));
  for (const WatchdogTimeout* timeout : list) {
    if (finding.evidence.size() == 4) break;
    finding.evidence.push_back(evidence(
        machine, timeout->rank ? fmt::format("rank {}", *timeout->rank) : std::string("a rank"),
        fmt::format("ran for {:.0f} s{}", timeout->ran_seconds.value_or(0),
                    timeout->last_completed
                        ? fmt::format(", last completed #{}", *timeout->last_completed)
                        : ""),
        timeout->timeout_seconds ? fmt::format("{:.0f} s at the most", *timeout->timeout_seconds)
                                 : "",
        timeout->source));
  }
  finding.impact.text = "the job ended";
  finding.impact.lost_fraction = 1;
  finding.remedy = {
      {.text =
           "this is where the ranks waited, not why. Let all ranks write what they were in, and "
           "give all files to the check",
       .command = "export TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1"},
      {.text = "a longer timeout helps only where a rank is slow by design: saving a checkpoint, "
               "compiling, evaluating on one rank (init_process_group(timeout=…))"}};
}

bool has_evidence(const Stall& stall) {
  return stall.gave_up || stall.waited_seconds.value_or(0) >= long_seconds;
}

// Whether everybody who belongs to the operation was seen inside.
bool complete(const Job& job, const Machine& machine, const Stall& stall) {
  if (!stall.late.empty() || !stall.unknown.empty()) return false;
  const JobGroup& group = job.groups[stall.group];
  const std::size_t seen = stall.waiting.size() + stall.done.size();
  if (seen < 2) return false;
  if (!group.ranks.empty() || stall.point_to_point) return true;
  if (job.has_recorder) {  // no list of ranks: those from 0 on without a gap
    const auto dumped = job.dumped();
    return *dumped.rbegin() + 1 == static_cast<int>(dumped.size());
  }
  for (const NcclRun& run : machine.nccl_runs)
    for (const NcclRank& rank : run.ranks)
      if (rank.ranks && *rank.ranks == static_cast<int>(seen)) return true;
  return false;
}

std::string states_of(const Job& job, const Stall& stall) {
  if (stall.point_to_point) return stall.call->state_word;
  std::map<std::string, std::vector<int>> by_state;
  const JobGroup& group = job.groups[stall.group];
  for (const int rank : stall.waiting)
    if (const CollectiveCall* call = group.members.at(rank).at(*stall.call->sequence))
      by_state[call->state_word].push_back(rank);
  std::string out;
  for (const auto& [state, ranks] : by_state)
    out += fmt::format("{}{} on {}", out.empty() ? "" : ", ", state, ranks_words(ranks));
  return out;
}

std::vector<RemedyStep> what_to_look_at() {
  return {
      {.text = "look for the links, adapters and GPUs that failed on the nodes of these ranks",
       .command = "railgauge check --only RDM,PCI,NVL,GPU"},
      {.text = "the kernel's log at that time: Xids, adapters, PCIe errors",
       .command = "sudo dmesg -T | grep -iE 'xid|mlx5|bnxt|aer|nvlink|peermem'",
       .needs_root = true},
      {.text = "RDMA: retransmissions and pauses that go up while nothing moves (a PFC storm, a "
               "lossy path, GPUDirect with ACS or an IOMMU)",
       .command = "rdma statistic; ethtool -S IFACE | grep -E 'pause|discard|out_of_buffer'"},
      {.text = "run the same group alone; then without GPUDirect RDMA, to see whether it is that",
       .command = "NCCL_DEBUG=INFO NCCL_NET_GDR_LEVEL=LOC all_reduce_perf -b 8 -e 1G -f 2"}};
}

void report_stuck(const Machine& machine, const Job& job, const Stall& stall, Verdicts& out) {
  const std::size_t all = stall.waiting.size() + stall.done.size();
  std::string text =
      stall.done.empty()
          ? fmt::format("all {} ranks are in {} and none finished", all, hang::text(job, stall))
          : fmt::format("all {} ranks came to {}, {} finished, {} did not", all,
                        hang::text(job, stall), ranks_words(stall.done),
                        ranks_words(stall.waiting));
  if (stall.gave_up)
    text += ": the watchdog gave up";
  else if (stall.waited_seconds)
    text += fmt::format(": for {:.0f} s at least", *stall.waited_seconds);
  Finding& finding = out.fail(job.groups[stall.group].text(), std::move(text));
  if (!has_evidence(stall)) {
    finding.severity = Severity::warning;
    finding.text += "; stuck in the network or on a GPU, unless it moved on after the dumps";
  } else {
    finding.text += "; stuck in the network or on a GPU";
  }
  finding.evidence = {evidence(machine, hang::text(job, stall), states_of(job, stall), "completed",
                               stall.call->source)};
  if (!stall.call->where.empty())
    finding.evidence.push_back(
        evidence(machine, "called at", stall.call->where, "", stall.call->source));
  finding.impact.text = "the job does not move";
  finding.impact.lost_fraction = 1;
  finding.remedy = what_to_look_at();
}

}  // namespace

void watchdog_timeout(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  if (job.timeouts.empty()) {
    if (!job.heard.empty()) out.pass();
    return;
  }
  // One finding: the earliest operation of which most was said stands for all.
  std::map<std::tuple<std::string, std::uint64_t, std::string>, std::vector<const WatchdogTimeout*>>
      by;
  for (const WatchdogTimeout* timeout : job.timeouts)
    by[{timeout->group, timeout->sequence.value_or(0), timeout->operation}].push_back(timeout);
  const auto most = std::max_element(by.begin(), by.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  report_timeouts(patient.machine, job, most->second, out);
}

void stuck_in_network(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  if (job.groups.empty()) return;
  out.pass();
  const auto all = stalls(job);
  for (const Stall& stall : all) {
    if (!stall.is_root() || !complete(job, patient.machine, stall)) continue;
    // A rank that is awaited elsewhere may keep this one, too, by what its GPU does first.
    const bool other_cause = std::any_of(all.begin(), all.end(), [&](const Stall& other) {
      return &other != &stall && !other.late.empty() && other.is_root();
    });
    // Some finished: a moment of an operation that ends, unless it is old.
    if (other_cause || (!stall.done.empty() && !has_evidence(stall))) continue;
    report_stuck(patient.machine, job, stall, out);
  }
}

}  // namespace railgauge::judge::hang
