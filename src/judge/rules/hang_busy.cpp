// NCC107: a rank that the others wait for is busy with something else, by its stack. NCC109: ranks
// of which there is no dump.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_rules.h"
#include "judge/rules/hang_stack.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

struct Process {
  const StackProcess* process = nullptr;
  Standing at;
};

bool waits(Busy busy) { return busy == Busy::communication || busy == Busy::gpu; }

std::vector<Process> processes_of(const Job& job) {
  std::vector<Process> out;
  for (const StackProcess& process : job.processes) {
    if (process.stacks->empty()) continue;
    Process one{&process, standing_of(*process.stacks)};
    if (one.at.busy != Busy::helper && !one.at.frame.empty()) out.push_back(std::move(one));
  }
  return out;
}

std::string name_of(const Job& job, const StackProcess& process) {
  if (process.rank) return job.text(*process.rank);
  return process.process_id ? fmt::format("process {}", *process.process_id) : "a process";
}

void report(const Machine& machine, const Job& job, const Process& one, std::size_t waiting,
            bool late, Verdicts& out) {
  const std::string name = name_of(job, *one.process);
  const std::string from = one.at.user_frame.empty() || one.at.user_frame == one.at.frame
                               ? ""
                               : ", from " + one.at.user_frame;
  Finding& finding = out.fail(
      name, fmt::format("{} {} ({}{}) while {} wait{} for it",
                        one.process->rank ? fmt::format("rank {}", *one.process->rank) : name,
                        words(one.at.busy), one.at.frame, from,
                        waiting == 0 ? std::string("others") : fmt::format("{} others", waiting),
                        waiting == 1 ? "s" : ""));
  finding.evidence = {evidence(machine, "main thread", one.at.frame,
                               late ? "the operation that the others wait in" : "a collective",
                               one.process->stacks->front().source)};
  finding.impact.text = "the job waits for this rank";
  finding.impact.lost_fraction = 1;
  finding.remedy = {
      {.text = std::string(remedy(one.at.busy))},
      {.text = "take the stack again after some seconds: one that moves is slow, not stuck",
       .command = one.process->process_id
                      ? fmt::format("sudo py-spy dump --native --pid {}", *one.process->process_id)
                      : std::string("sudo py-spy dump --native --pid PID"),
       .needs_root = true}};
}

}  // namespace

void busy_elsewhere(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  const auto processes = processes_of(job);
  if (processes.empty()) return;
  out.pass();
  std::set<int> late;
  std::set<int> inside;
  std::size_t ranks_waiting = 0;
  for (const Stall& stall : stalls(job)) {
    if (stall.is_root()) late.insert(stall.late.begin(), stall.late.end());
    inside.insert(stall.waiting.begin(), stall.waiting.end());
  }
  for (const int rank : silent_ranks(job)) late.insert(rank);
  ranks_waiting = inside.size();
  std::size_t waiting = 0;
  std::size_t busy = 0;
  for (const Process& one : processes) {
    waiting += waits(one.at.busy) ? 1U : 0U;
    busy += !waits(one.at.busy) && one.at.busy != Busy::own_code ? 1U : 0U;
  }
  for (const Process& one : processes) {
    if (waits(one.at.busy)) continue;
    const auto rank = one.process->rank;
    if (rank && late.contains(*rank)) {
      report(patient.machine, job, one, ranks_waiting, true, out);
      continue;
    }
    // By stacks alone: code of one's own may wait for the GPU inside a call that no stack shows.
    const bool alone = late.empty() && !(rank && inside.contains(*rank));
    if (alone && one.at.busy != Busy::own_code && waiting > 0 && busy <= waiting)
      report(patient.machine, job, one, waiting, false, out);
  }
}

void dumps_missing(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  if (!job.has_recorder) return;
  out.pass();
  const auto dumped = job.dumped();
  std::set<int> missing;
  const auto all = stalls(job);
  if (all.empty()) return;
  std::set<int> world;
  for (const JobGroup& group : job.groups) world.insert(group.ranks.begin(), group.ranks.end());
  if (world.empty() && !dumped.empty())
    for (int rank = 0; rank <= *dumped.rbegin() && rank < 100'000; ++rank) world.insert(rank);
  for (const int rank : world)
    if (!dumped.contains(rank)) missing.insert(rank);
  if (missing.empty()) return;
  const std::vector<int> list(missing.begin(), missing.end());
  const bool no_other =
      std::none_of(all.begin(), all.end(), [](const Stall& stall) { return !stall.late.empty(); });
  Finding& finding = out.fail(
      ranks_words(list),
      fmt::format("no dump of {} ({} of {} ranks gave one){}", ranks_words(list), dumped.size(),
                  world.size(),
                  no_other ? ": the ranks with a dump all wait, so an absent one may be the cause"
                           : ": an absent rank may be the cause as well"));
  if (no_other) finding.weight = 60;
  const auto& first = job.ranks.at(*dumped.begin());
  finding.evidence = {evidence(patient.machine, "dumps read",
                               ranks_text({dumped.begin(), dumped.end()}),
                               ranks_text({world.begin(), world.end()}), first.source)};
  finding.impact.text = "the cause cannot be told for certain";
  finding.remedy = {
      {.text = "collect the files of all nodes: each rank writes its own, on its own node",
       .command = "ls -l /tmp/nccl_trace_rank_*"},
      {.text = "a rank without a file is gone, or its interpreter is stuck: look at its process",
       .command = "sudo py-spy dump --native --pid PID",
       .needs_root = true}};
}

}  // namespace railgauge::judge::hang
