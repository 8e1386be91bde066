// What the kernel log says of processes and of host memory.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "judge/rules/host_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

std::vector<Event> of_kind(const Machine& machine, EventKind kind) {
  std::vector<Event> out;
  for (const Event& event : machine.events)
    if (event.kind == kind) out.push_back(event);
  return out;
}

std::uint64_t times(const std::vector<Event>& events) {
  std::uint64_t sum = 0;
  for (const Event& event : events) sum += event.count;
  return sum;
}

// "python3, nccl-worker"
std::string processes(const std::vector<Event>& events) {
  std::set<std::string> names;
  for (const Event& event : events)
    if (!event.process.empty() && names.size() < 4) names.insert(event.process);
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "a process" : out;
}

Finding& report(Verdicts& out, const Machine& machine, const std::vector<Event>& events,
                std::string text) {
  Finding& finding = out.fail("host", std::move(text));
  for (const Event& event : events)
    if (finding.evidence.size() < 3)
      finding.evidence.push_back(evidence(machine, "kernel log", event.text, {}, event.source));
  return finding;
}

void out_of_memory(const Patient& patient, Verdicts& out) {
  const auto events = of_kind(patient.machine, EventKind::out_of_memory);
  if (events.empty()) return out.pass();
  Finding& finding = report(out, patient.machine, events,
                            fmt::format("the kernel killed {} for want of memory ({})",
                                        processes(events), counted(times(events), "time")));
  finding.impact.text = "the other ranks of the job wait for the killed one until their timeout";
  finding.remedy = {root_step("see whether the machine or a control group was full",
                              "dmesg -T | grep -iE 'out of memory|oom-kill|Memory cgroup'"),
                    step("fewer data loader workers, less prefetching, no copies of the data set "
                         "per worker"),
                    step("or more memory for the job", "srun --mem=0")};
}

void hung(const Patient& patient, Verdicts& out) {
  const auto events = of_kind(patient.machine, EventKind::hung_task);
  if (events.empty()) return out.pass();
  Finding& finding = report(out, patient.machine, events,
                            fmt::format("{} waited in the kernel for more than two minutes ({})",
                                        processes(events), counted(times(events), "message")));
  finding.impact.text =
      "the process cannot even be killed: storage, the GPU driver or an adapter "
      "does not answer it";
  finding.remedy = {root_step("see what it waits for: the lines below the message are the stack",
                              "dmesg -T | grep -A 30 'blocked for more than'"),
                    step("a stack with nfs, lustre or ceph is storage; with nvidia or mlx5 the "
                         "driver: look for Xids and adapter events at the same time")};
}

void memory_errors(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<Event> corrected;
  std::vector<Event> uncorrected;
  for (const Event& event : of_kind(machine, EventKind::memory_error))
    (event.severity >= EventSeverity::nonfatal ? uncorrected : corrected).push_back(event);
  if (corrected.empty() && uncorrected.empty()) return out.pass();
  const std::vector<RemedyStep> remedy{
      root_step("see which DIMM", "ras-mc-ctl --summary; edac-util -v"),
      step("let the job end, drain the node and replace the DIMM")};
  if (!uncorrected.empty()) {
    Finding& finding =
        report(out, machine, uncorrected,
               fmt::format("host memory or CPU errors that could not be corrected ({})",
                           counted(times(uncorrected), "report")));
    finding.severity = Severity::error;
    finding.weight = 90;
    finding.impact.text = "data was lost: a process ends, or the machine";
    finding.remedy = remedy;
  }
  if (corrected.empty()) return;
  const auto groups = event_groups(corrected);
  const auto fastest =
      std::max_element(groups.begin(), groups.end(), [](const EventGroup& a, const EventGroup& b) {
        return a.per_hour.value_or(0) < b.per_hour.value_or(0);
      });
  const double rate = fastest->per_hour.value_or(0);
  const std::uint64_t count = times(corrected);
  // Vendors replace a DIMM at some ten to a hundred corrected errors a day.
  const bool many = count >= 1000 || (count >= 10 && rate >= 10);
  Finding& finding = report(
      out, machine, corrected,
      fmt::format("{} of host memory{}", counted(count, "corrected error"),
                  count > 1 && rate > 0 ? fmt::format(", {:.1f} an hour", rate) : std::string()));
  if (!many) {
    finding.severity = Severity::note;
    finding.weight = 10;
  }
  finding.impact.text =
      "each is repaired and logged; many of them cost time and come before one "
      "that cannot be repaired";
  finding.remedy = remedy;
}

void crash(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto events = of_kind(machine, EventKind::segfault);
  if (events.empty()) return out.pass();
  Finding& finding = report(out, machine, events,
                            fmt::format("{} crashed inside a communication library ({})",
                                        processes(events), counted(times(events), "time")));
  finding.evidence.front().what = "kernel log";
  finding.impact.text = "the rank is gone; the others wait for it until their timeout";
  finding.remedy = {
      step("compare the library's version with its makers' list of known faults",
           "railgauge check --only OSL017,OSL018"),
      step("look whether two versions of the library are loaded (system, PyTorch, plugin)",
           "LD_DEBUG=libs PROGRAM 2>&1 | grep -E 'libnccl|libucp|libfabric'"),
      step("take a core dump and its stack to the library's makers", "ulimit -c unlimited")};
}

std::vector<Rule> process_rules() {
  return {
      Rule{.id = "OSL009",
           .name = "out-of-memory",
           .severity = Severity::warning,
           .weight = 80,
           .needs = {Need::kernel_log},
           .explains = {{"NCC020", Relation::anything}, {"NCC104", Relation::anything}},
           .look = out_of_memory,
           .page = {.what = "The kernel killed processes because memory was used up.",
                    .why = "A killed rank says nothing; the others see a closed connection or wait "
                           "until their timeout, and the cause stands in the kernel log only.",
                    .by_hand = "dmesg -T | grep -iE 'killed process|out of memory'",
                    .remedy = "Fewer or leaner data loader workers; a larger limit of the job.",
                    .benign_if = "The killed process was no part of the job: compare name and "
                                 "time.",
                    .references = {"Linux kernel, Documentation/admin-guide/mm/concepts.rst, OOM "
                                   "killer"}}},
      Rule{.id = "OSL010",
           .name = "hung-task",
           .severity = Severity::warning,
           .weight = 70,
           .needs = {Need::kernel_log},
           .explains = {{"NCC105", Relation::anything}},
           .look = hung,
           .page = {.what = "A process was blocked in the kernel for more than two minutes.",
                    .why = "It waits for something that does not answer: a file system, the GPU "
                           "driver, an adapter. The job hangs meanwhile and the process cannot be "
                           "killed.",
                    .by_hand = "dmesg -T | grep -A 30 'blocked for more than'",
                    .remedy = "The stack below the message names the culprit.",
                    .benign_if = "The blocked task is a kernel thread of slow storage, at another "
                                 "time than the job's trouble.",
                    .references = {"Linux kernel, Documentation/admin-guide/sysctl/kernel.rst, "
                                   "hung_task_timeout_secs"}}},
  };
}

std::vector<Rule> fault_rules() {
  return {
      Rule{.id = "OSL011",
           .name = "memory-errors",
           .severity = Severity::warning,
           .weight = 45,
           .needs = {Need::kernel_log},
           .look = memory_errors,
           .page = {.what = "EDAC or a machine check reported errors of host memory or a CPU.",
                    .why = "Corrected errors are repaired; in numbers they announce one that "
                           "cannot be. Uncorrected ones end a process or the machine.",
                    .by_hand = "dmesg -T | grep -E 'EDAC|Machine Check|Hardware Error'; ras-mc-ctl "
                               "--summary",
                    .remedy = "Replace the DIMM that the report names.",
                    .benign_if = "A few corrected errors in months: under ten an hour and a "
                                 "thousand in all it is a note.",
                    .references = {"Linux kernel, Documentation/admin-guide/ras.rst"}}},
      Rule{.id = "OSL012",
           .name = "communication-library-crash",
           .severity = Severity::error,
           .weight = 85,
           .needs = {Need::kernel_log},
           .explains = {{"NCC020", Relation::anything}, {"NCC104", Relation::anything}},
           .look = crash,
           .page = {.what = "A process crashed inside NCCL, CUDA, UCX, libfabric or a library like "
                            "it.",
                    .why = "The kernel names the library in which the fault happened. Often two "
                           "versions of it are loaded, a plugin does not fit, or a buffer was "
                           "freed too early; the other ranks then wait.",
                    .by_hand = "dmesg -T | grep segfault\n"
                               "\"… error 4 in libnccl.so.2[…]\"",
                    .remedy = "One version of the library, a known good one; a core dump for its "
                              "makers.",
                    .benign_if = "The crash happened while the job was being killed. Faults inside "
                                 "other libraries are the program's own and are not shown.",
                    .references = {"core(5)", "NCCL User Guide, Troubleshooting"}}},
  };
}

}  // namespace

std::vector<Rule> host_event_rules() { return together({process_rules(), fault_rules()}); }

}  // namespace railgauge::judge
