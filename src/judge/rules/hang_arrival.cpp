// NCC101: which rank never came to which operation.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_rules.h"
#include "judge/rules/hang_stack.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

constexpr std::size_t most_ranks_shown = 8;

std::string at_place(const CollectiveCall& call) {
  return call.where.empty() ? std::string() : " at " + call.where;
}

// The late ranks that no other standstill keeps: they are the ones to look at.
std::vector<int> free_ranks(const std::vector<Stall>& all, const Stall& stall) {
  std::vector<int> out;
  for (const int rank : stall.late) {
    const bool kept = std::any_of(all.begin(), all.end(), [&](const Stall& other) {
      return &other != &stall &&
             std::find(other.waiting.begin(), other.waiting.end(), rank) != other.waiting.end();
    });
    if (!kept) out.push_back(rank);
  }
  return out.empty() ? stall.late : out;
}

std::string what_they_missed(const Stall& stall, const Job& job) {
  if (stall.point_to_point) {
    const bool send = stall.call->operation == "send";
    return fmt::format("never {} rank {}, which waits in {}{}", send ? "received from" : "sent to",
                       stall.waiting.front(), stall.call->operation, at_place(*stall.call));
  }
  const bool gpu = !stall.not_started.empty();
  return fmt::format("{} {}; {} wait{} in it{}", gpu ? "queued and never began" : "never entered",
                     text(job, stall), ranks_words(stall.waiting),
                     stall.waiting.size() == 1 ? "s" : "", at_place(*stall.call));
}

void add_evidence(const Machine& machine, const Job& job, const std::vector<Stall>& all,
                  const Stall& stall, Finding& finding) {
  std::size_t shown = 0;
  for (const int rank : stall.late) {
    if (shown++ == most_ranks_shown) break;
    const auto found = job.ranks.find(rank);
    const SourceRef source = found == job.ranks.end() ? SourceRef{} : found->second.source;
    const std::string where = stands(job, all, rank);
    finding.evidence.push_back(evidence(machine, fmt::format("rank {} stands", rank),
                                        where.empty() ? "not known" : where, call_text(*stall.call),
                                        source));
  }
  finding.evidence.push_back(evidence(machine, ranks_words(stall.waiting) + " in",
                                      fmt::format("{}{}, {}", call_text(*stall.call),
                                                  at_place(*stall.call), stall.call->state_word),
                                      "", stall.call->source));
  for (const Stall& other : all)
    if (&other != &stall && !other.is_root())
      finding.evidence.push_back(
          evidence(machine, "also held up",
                   fmt::format("{} in {}", ranks_words(other.waiting), text(job, other)), "",
                   other.call->source));
}

void add_waiting(const Machine& machine, const Job& job, const Stall& stall, Finding& finding) {
  finding.evidence.push_back(evidence(machine, ranks_words(stall.waiting) + " too",
                                      text(job, stall) + at_place(*stall.call), "",
                                      stall.call->source));
}

void report(const Machine& machine, const Job& job, const std::vector<Stall>& all,
            const Stall& stall, const std::vector<int>& ranks, Verdicts& out) {
  const std::string subject = ranks.size() == 1 ? job.text(ranks[0]) : ranks_words(ranks);
  Finding& finding =
      out.fail(subject, fmt::format("{} {}", ranks_words(ranks), what_they_missed(stall, job)));
  add_evidence(machine, job, all, stall, finding);
  std::size_t waiting = 0;
  for (const auto& [number, rank] : job.ranks)
    waiting += std::any_of(all.begin(), all.end(), [&, id = number](const Stall& one) {
      return std::find(one.waiting.begin(), one.waiting.end(), id) != one.waiting.end();
    });
  finding.impact.text = fmt::format("{} of {} ranks wait; the job does not move", waiting,
                                    std::max(job.ranks.size(), stall.waiting.size()));
  finding.impact.lost_fraction = 1;
  for (const int rank : ranks)
    if (finding.remedy.size() < 2) finding.remedy.push_back(look_at_stack(job, rank));
}

// Without dumps: who wrote to the log and reported no timeout.
void report_silent(const Machine& machine, const Job& job, const std::vector<int>& silent,
                   Verdicts& out) {
  const WatchdogTimeout& first = *job.timeouts.front();
  std::set<int> waiting;
  for (const WatchdogTimeout* timeout : job.timeouts)
    if (timeout->rank) waiting.insert(*timeout->rank);
  const std::vector<int> list(waiting.begin(), waiting.end());
  Finding& finding = out.fail(
      silent.size() == 1 ? job.text(silent[0]) : ranks_words(silent),
      fmt::format("{} reported no timeout in {}{} when {} did: {} never entered it, or ended",
                  ranks_words(silent), first.operation,
                  first.sequence ? fmt::format(" #{}", *first.sequence) : "", ranks_words(list),
                  silent.size() == 1 ? "it" : "they"));
  finding.evidence = {evidence(machine, "first timeout", fmt::format("rank {}", list.front()),
                               "a timeout on every rank", first.source)};
  finding.impact.text = "the job does not move";
  finding.impact.lost_fraction = 1;
  finding.remedy = {
      look_at_stack(job, silent[0]),
      {.text = "keep the flight recorder on, so that the next hang names the rank and "
               "its line of code",
       .command = "export TORCH_NCCL_TRACE_BUFFER_SIZE=2000 "
                  "TORCH_NCCL_DUMP_ON_TIMEOUT=1"}};
}

}  // namespace

std::string stands(const Job& job, const std::vector<Stall>& all, int rank) {
  for (const StackProcess& process : job.processes)
    if (process.rank == rank && process.stacks != nullptr) {
      const Standing at = standing_of(*process.stacks);
      if (at.busy == Busy::helper || at.frame.empty()) continue;
      const std::string from =
          at.user_frame.empty() || at.user_frame == at.frame ? "" : ", from " + at.user_frame;
      return fmt::format("{} ({}{})", words(at.busy), at.frame, from);
    }
  for (const Stall& stall : all)
    if (std::find(stall.waiting.begin(), stall.waiting.end(), rank) != stall.waiting.end())
      return fmt::format("waits in {}{}", text(job, stall), at_place(*stall.call));
  const auto found = job.ranks.find(rank);
  if (found == job.ranks.end() || found->second.calls.empty()) return {};
  const CollectiveCall& last = *found->second.calls.back();
  const bool ended = last.state == CollectiveCall::State::completed;
  return fmt::format("{} {}{}", ended ? "somewhere after" : "in", call_text(last), at_place(last));
}

RemedyStep look_at_stack(const Job& job, int rank) {
  const auto found = job.ranks.find(rank);
  RemedyStep step{.text = fmt::format("look where {} stands: the stack of its main thread and of "
                                      "the threads it waits for",
                                      job.text(rank)),
                  .command = "sudo py-spy dump --native --pid PID",
                  .needs_root = true};
  if (found == job.ranks.end()) return step;
  if (found->second.process_id)
    step.command = fmt::format("sudo py-spy dump --native --pid {}", *found->second.process_id);
  if (!found->second.host.empty())
    step.command = fmt::format("ssh {} {}", found->second.host, step.command);
  return step;
}

std::vector<int> silent_ranks(const Job& job) {
  if (job.has_recorder || job.timeouts.empty()) return {};
  std::set<int> timed_out;
  for (const WatchdogTimeout* timeout : job.timeouts) {
    // Of a group of some ranks the others have nothing to report.
    if (!timeout->group.empty() && timeout->group != "0") return {};
    if (timeout->rank) timed_out.insert(*timeout->rank);
  }
  std::vector<int> out;
  for (const int rank : job.heard)
    if (!timed_out.contains(rank)) out.push_back(rank);
  // One rank's timeout ends the job, often before the others have said theirs.
  return out.size() * 2 <= timed_out.size() ? out : std::vector<int>{};
}

void never_arrived(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  const auto all = stalls(job);
  if (!job.ranks.empty()) out.pass();
  // Ranks that are late in several operations are told once.
  std::map<std::vector<int>, std::size_t> told;
  for (const Stall& stall : all) {
    if (!stall.is_root() || stall.late.empty() || stall.waiting.empty()) continue;
    const auto ranks = free_ranks(all, stall);
    const auto [place, added] = told.try_emplace(ranks, out.failures.size());
    if (added)
      report(patient.machine, job, all, stall, ranks, out);
    else
      add_waiting(patient.machine, job, stall, out.failures[place->second]);
  }
  const auto silent = silent_ranks(job);
  if (told.empty() && !silent.empty()) report_silent(patient.machine, job, silent, out);
  behind_by_ras(patient.machine, !job.timeouts.empty(), out);
}

}  // namespace railgauge::judge::hang
