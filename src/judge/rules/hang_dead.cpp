// NCC104: a rank whose process is gone.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_rules.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

struct Dead {
  const HangRank* rank = nullptr;
  std::string statement;
};

bool says_dead(const std::string& statement) {
  return statement.starts_with("DEAD") || statement.starts_with("ended by signal");
}
bool says_silent(const std::string& statement) { return statement.starts_with("INCOMPLETE"); }

// The last that was said of each process; dead stays dead.
std::map<std::pair<std::string, int>, Dead> dead_processes(const Machine& machine) {
  std::map<std::pair<std::string, int>, Dead> out;
  const HangDump* last_ras = nullptr;
  for (const HangDump& dump : machine.hangs)
    if (dump.kind == "NCCL RAS" && !dump.groups.empty()) last_ras = &dump;
  for (const HangDump& dump : machine.hangs) {
    if (dump.kind == "stacks") continue;
    for (const HangRank& rank : dump.ranks)
      for (const std::string& statement : rank.statements) {
        // A process that did not answer once and does later is well.
        if (!says_dead(statement) && !(says_silent(statement) && &dump == last_ras)) continue;
        Dead& one = out[{rank.host, rank.process_id.value_or(-1)}];
        const bool better =
            one.rank == nullptr || says_dead(statement) || (!one.rank->rank && rank.rank);
        if (better && (one.rank == nullptr || !one.rank->rank || rank.rank))
          one = {&rank, statement};
      }
  }
  return out;
}

std::string name_of(const HangRank& rank) {
  std::string out = rank.rank ? fmt::format("rank {}", *rank.rank) : std::string();
  if (rank.process_id)
    out += fmt::format("{}process {}{}", out.empty() ? "" : " (", *rank.process_id,
                       rank.host.empty() ? "" : " on " + rank.host) +
           (out.empty() ? "" : ")");
  return out.empty() ? "a process" : out;
}

std::string what(const std::string& statement) {
  if (statement.starts_with("DEAD")) return "is dead: RAS could not reach it for 60 s";
  if (says_silent(statement)) return "does not answer RAS: stopped, gone, or its node is";
  return statement;
}

void report(const Machine& machine, const std::string& host, const std::vector<Dead>& dead,
            Verdicts& out) {
  const Dead& first = dead.front();
  const bool many = dead.size() > 1;
  Finding& finding =
      out.fail(many ? fmt::format("{} processes on {}", dead.size(), host) : name_of(*first.rank),
               many ? fmt::format("{} processes on {} are gone or do not answer: {} …", dead.size(),
                                  host, name_of(*first.rank))
                    : fmt::format("{} {}", name_of(*first.rank), what(first.statement)));
  for (const Dead& one : dead)
    if (finding.evidence.size() < 8)
      finding.evidence.push_back(evidence(machine, name_of(*one.rank), one.statement,
                                          "a process that runs", one.rank->source));
  finding.impact.text = "all other ranks wait for it in their next operation";
  finding.impact.lost_fraction = 1;
  const std::string on = host.empty() ? "" : "ssh " + host + " ";
  finding.remedy = {
      {.text = "look why it ended: killed for memory, a crash, a GPU that fell off the bus",
       .command = on + "sudo dmesg -T | grep -iE 'out of memory|oom|segfault|Xid|hung'",
       .needs_root = true},
      {.text =
           "look whether the process is there, and stopped (state T) or in the kernel (state D)",
       .command =
           fmt::format("{}ps -o pid,stat,wchan,cmd -p {}", on, first.rank->process_id.value_or(0))},
      {.text = "the job cannot go on without it: restart from the last checkpoint"}};
}

}  // namespace

void rank_dead(const Patient& patient, Verdicts& out) {
  const bool asked = std::any_of(
      patient.machine.hangs.begin(), patient.machine.hangs.end(),
      [](const HangDump& dump) { return dump.kind == "NCCL RAS" || dump.kind == "watchdog"; });
  if (!asked) return;
  out.pass();
  std::map<std::string, std::vector<Dead>> by_host;
  for (const auto& [key, dead] : dead_processes(patient.machine)) {
    if (key.first.empty())
      report(patient.machine, "", {dead}, out);
    else
      by_host[key.first].push_back(dead);
  }
  for (const auto& [host, dead] : by_host) report(patient.machine, host, dead, out);
}

}  // namespace railgauge::judge::hang
