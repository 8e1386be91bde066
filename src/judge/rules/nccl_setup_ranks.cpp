// Ranks: one GPU each, one version of NCCL, and all of them through the start.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "judge/rules/nccl_said.h"
#include "judge/rules/nccl_setup.h"

namespace railgauge::judge {
namespace {

using namespace model;

void duplicate(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    const Lines lines = lines_with(run, {"Duplicate GPU detected"});
    if (!lines.empty()) {
      Finding& finding = fail_lines(patient, out, run, lines,
                                    fmt::format("two ranks use one GPU: {}", lines.front()->text));
      finding.impact.text = "the job does not start";
      finding.remedy = {
          {.text = "take the device by the local rank, in each process, before NCCL starts",
           .command = "torch.cuda.set_device(int(os.environ[\"LOCAL_RANK\"]))"},
          {.text = "see that the launcher starts as many processes per node as there are GPUs",
           .command = "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES"}};
      continue;
    }
    if (!run.ranks.empty()) out.pass();
  }
}

// "2.28.9 (node01, 8 ranks), 2.27.3 (node02)"
std::string words_of(const std::map<std::string, std::vector<const NcclRank*>>& versions) {
  std::string out;
  for (const auto& [version, ranks] : versions) {
    std::set<std::string> hosts;
    for (const NcclRank* rank : ranks) hosts.insert(rank->host);
    out += fmt::format("{}{} ({}, {} {})", out.empty() ? "" : ", ", version,
                       some_of({hosts.begin(), hosts.end()}, 3), ranks.size(),
                       ranks.size() == 1 ? "rank" : "ranks");
  }
  return out;
}

// The same rank with two versions: two jobs in one log.
bool two_jobs(const NcclRun& run) {
  std::map<int, std::string> seen;
  for (const NcclRank& rank : run.ranks) {
    if (!rank.rank || rank.version.empty()) continue;
    const auto [place, added] = seen.try_emplace(*rank.rank, rank.version);
    if (!added && place->second != rank.version) return true;
  }
  return false;
}

std::map<int, int> sizes_by_rank(const NcclRun& run) {
  std::map<int, int> out;
  for (const NcclRank& rank : run.ranks)
    if (rank.rank) out.emplace(*rank.rank, rank.ranks.value_or(0));
  return out;
}

// Ranks of one job that logged into files of their own: other numbers, one size.
bool same_job(const NcclRun& a, const NcclRun& b) {
  const auto one = sizes_by_rank(a);
  const auto other = sizes_by_rank(b);
  if (one.empty() || other.empty() || one.begin()->second != other.begin()->second) return false;
  return std::none_of(other.begin(), other.end(),
                      [&](const auto& rank) { return one.contains(rank.first); });
}

void across_logs(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr std::size_t logs_max = 256;
  const std::size_t count = std::min(machine.nccl_runs.size(), logs_max);
  for (std::size_t i = 1; i < count; ++i) {
    const NcclRun& first = machine.nccl_runs.front();
    const NcclRun& run = machine.nccl_runs[i];
    if (!first.version || !run.version || *first.version == *run.version || !same_job(first, run))
      continue;
    Finding& finding = out.fail(
        log_of(run), fmt::format("ranks have different versions of NCCL: {} ({}), {} ({})",
                                 *first.version, log_of(first), *run.version, log_of(run)));
    finding.evidence = {evidence(machine, "NCCL version in " + log_of(run), *run.version,
                                 *first.version, run.version.source())};
    finding.impact.text = "the job stops at its start, hangs, or computes with other algorithms";
    finding.remedy = {{.text = "use one image on all nodes",
                       .command = "grep -h libnccl /proc/PID/maps | sort -u"}};
  }
}

void versions_mixed(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  across_logs(patient, out);
  for (const NcclRun& run : machine.nccl_runs) {
    const Lines lines = lines_with(run, {"Mismatched NCCL version", "NCCL version mismatch"});
    std::map<std::string, std::vector<const NcclRank*>> versions;
    for (const NcclRank& rank : run.ranks)
      if (!rank.version.empty()) versions[rank.version].push_back(&rank);
    if (lines.empty() && versions.size() < 2) {
      if (run.version.claims().size() > 1)
        out.unknown(log_of(run), "which rank has which version of NCCL",
                    "NCCL_DEBUG=VERSION per rank");
      else if (run.version)
        out.pass();
      continue;
    }
    if (lines.empty() && two_jobs(run)) {
      out.unknown(log_of(run), "one job in one log: this one holds several", "");
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        versions.size() > 1
            ? fmt::format("ranks have different versions of NCCL: {}", words_of(versions))
            : fmt::format("ranks have different versions of NCCL: {}", lines.front()->text));
    for (const auto& [version, ranks] : versions)
      if (finding.evidence.size() < 4)
        finding.evidence.push_back(evidence(machine, "NCCL version on " + ranks.front()->host,
                                            version, "one version", ranks.front()->source));
    finding.impact.text = "the job stops at its start, hangs, or computes with other algorithms";
    finding.remedy = {
        {.text = "find the libraries that processes load",
         .command = "grep -h libnccl /proc/PID/maps | sort -u; python -c 'import torch; "
                    "print(torch.cuda.nccl.version())'"},
        {.text = "use one image on all nodes; take LD_PRELOAD and LD_LIBRARY_PATH of another NCCL "
                 "away"}};
  }
}

void incomplete(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const NcclRun& run : machine.nccl_runs) {
    std::vector<const NcclRank*> waiting;
    std::size_t complete = 0;
    for (const NcclRank& rank : run.ranks) {
      if (!rank.started) continue;
      if (rank.complete)
        ++complete;
      else
        waiting.push_back(&rank);
    }
    if (complete == 0 && waiting.empty()) continue;  // an excerpt without the start
    if (waiting.empty()) {
      out.pass();
      continue;
    }
    Lines errors;
    for (const NcclWarning& line : run.warnings)
      if (!line.information) errors.push_back(&line);
    if (complete == 0 && errors.empty()) {
      out.unknown(log_of(run), "the log to its end: no rank has finished its start in it", "");
      continue;
    }
    std::vector<std::string> names;
    for (const NcclRank* rank : waiting)
      names.push_back(rank->host.empty() ? std::to_string(*rank->rank)
                                         : fmt::format("{} ({})", *rank->rank, rank->host));
    Finding& finding = out.fail(
        log_of(run), complete > 0
                         ? fmt::format("{} of {} ranks began their start and did not finish it: {}",
                                       waiting.size(), waiting.size() + complete, some_of(names))
                         : fmt::format("no rank finished its start; the first warning: {}",
                                       errors.front()->text));
    finding.evidence = {evidence(machine, "last word of the start", "Init START", "Init COMPLETE",
                                 waiting.front()->source)};
    const auto said = evidence_of(machine, errors);
    finding.evidence.insert(finding.evidence.end(), said.begin(), said.end());
    finding.impact.text = "the job waits for these ranks";
    finding.remedy = {{.text = "see where these ranks stand", .command = "py-spy dump --pid PID"},
                      {.text = "read their own logs, with the subsystems of the start",
                       .command = "export NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,ENV"}};
  }
}

}  // namespace

void add_rank_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC007",
       .name = "duplicate-gpu",
       .severity = Severity::error,
       .weight = 95,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = duplicate,
       .page = {
           .what = "Two ranks of a communicator use the same GPU.",
           .why = "NCCL refuses: \"Duplicate GPU detected\", invalid usage. The processes did not "
                  "choose a device, so all took the first, or more were started than there are "
                  "GPUs.",
           .by_hand = "grep 'Duplicate GPU' in NCCL's log; look for set_device in the program",
           .remedy = "cudaSetDevice(local rank), torch.cuda.set_device(LOCAL_RANK), or "
                     "hvd.local_rank(), before the first collective.",
           .benign_if = "Never in NCCL before 2.28. Two MIG instances of one GPU count as one GPU.",
           .references = {"NVIDIA NCCL User Guide: Creating a Communicator",
                          "PyTorch documentation: Distributed communication package"}}});
  rules.push_back(
      {.id = "NCC017",
       .name = "versions-mixed",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}, {"NCC034"}},
       .look = versions_mixed,
       .page = {
           .what = "The ranks of one job loaded different versions of NCCL.",
           .why = "Versions do not speak to each other: the start fails, or the ranks choose other "
                  "algorithms and sizes and the job hangs.",
           .by_hand = "NCCL_DEBUG=VERSION on every rank; grep -h libnccl /proc/PID/maps",
           .remedy = "One image on all nodes; no LD_PRELOAD or LD_LIBRARY_PATH that brings another "
                     "libnccl.",
           .benign_if = "The log holds two jobs one after the other: it is then unknown.",
           .references = {"NVIDIA NCCL User Guide: Troubleshooting, Errors",
                          "NVIDIA NCCL User Guide: Environment Variables (NCCL_DEBUG=VERSION)"}}});
  rules.push_back(
      {.id = "NCC027",
       .name = "init-incomplete",
       .severity = Severity::error,
       .weight = 60,
       .needs = {Need::nccl_log},
       .explains = {},
       .look = incomplete,
       .page = {
           .what = "Some ranks said that they begin to make a communicator, and never that it is "
                   "complete.",
           .why = "Making a communicator is collective: one rank that does not finish holds all.",
           .by_hand = "grep -c 'Init START' and grep -c 'Init COMPLETE' in NCCL's log",
           .remedy = "Look at the ranks that did not finish: their warnings, their stacks, the "
                     "network between them and the others.",
           .benign_if = "The log was cut, or the job is still starting: with no rank complete and "
                        "no warning it is unknown.",
           .references = {"NVIDIA NCCL User Guide: Creating a Communicator"}}});
}

}  // namespace railgauge::judge
