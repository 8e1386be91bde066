// Whether what nccl-tests measured is normal for the machine it ran on.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/bandwidth_runs.h"
#include "judge/rules/families.h"
#include "model/nccl_cost/expected.h"

namespace railgauge::judge {
namespace {

using namespace model;
using namespace bandwidth;

constexpr std::string_view performance_doc = "nccl-tests: doc/PERFORMANCE.md";
constexpr std::string_view guide = "NVIDIA NCCL user guide: Environment Variables";

BytesPerSecond expected_rate(const JudgedRun& run) {
  const auto& nominal = run.best->nominal;
  return nominal && nominal->busbw > run.best->found.busbw ? nominal->busbw : run.best->found.busbw;
}

void below_expected(const Patient& patient, Verdicts& out) {
  const Runs runs = judged_runs(patient);
  for (const auto& run : runs.unjudged) out.unknown(run.subject, run.needs, run.command);
  for (const JudgedRun& run : runs.judged) {
    if (run.best == nullptr) continue;  // latency-bound says so
    if (!too_slow(run)) {
      out.pass();
      continue;
    }
    const bool as_it_is = of_found(run) >= tolerance(run);
    Finding& finding =
        out.fail(run.subject,
                 fmt::format("{} busbw at {} where {} are expected ({:.0f} %){}",
                             text(*run.best->row->busbw), text_of_bytes(run.best->row->size_bytes),
                             text(expected_rate(run)), 100 * of_expected(run),
                             as_it_is ? ": all that the machine has as it was found" : ""));
    finding.severity = of_expected(run) < 0.5 ? Severity::error : Severity::warning;
    finding.weight = of_expected(run) < 0.5 ? 80 : 60;
    finding.evidence = table(patient, run);
    finding.evidence.push_back({"expected from", run.basis, "", "NCCL's published cost model"});
    finding.impact.text = "collectives of this kind take longer in proportion";
    finding.impact.now = *run.best->row->busbw;
    finding.impact.could = expected_rate(run);
    finding.impact.lost_fraction = std::clamp(1 - of_expected(run), 0.0, 1.0);
    finding.remedy = {
        {.text = "see which transport and how many channels NCCL uses",
         .command = fmt::format("NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH,NET "
                                "{}_perf -b 512M -e 512M -g {} 2>&1 | tee nccl.log; railgauge "
                                "check nccl.log",
                                nccl_cost::text(run.what.collective), run.found.gpus_per_node)}};
  }
}

void wrong(const Patient& patient, Verdicts& out) {
  for (const BenchmarkRun& run : patient.machine.benchmarks) {
    if (run.tool != BenchmarkTool::nccl_tests) continue;
    const bool checked = std::any_of(run.rows.begin(), run.rows.end(), [](const BenchmarkRow& r) {
      return r.wrong_count.has_value();
    });
    if (!checked) {
      out.unknown(bandwidth::subject_of(patient, run), "results that were checked",
                  "the same program with -c 1");
      continue;
    }
    const auto bad = std::find_if(run.rows.begin(), run.rows.end(), [](const BenchmarkRow& r) {
      return r.wrong_count.value_or(0) > 0;
    });
    if (bad == run.rows.end()) {
      out.pass();
      continue;
    }
    const auto sizes = std::count_if(run.rows.begin(), run.rows.end(), [](const BenchmarkRow& r) {
      return r.wrong_count.value_or(0) > 0;
    });
    Finding& finding =
        out.fail(bandwidth::subject_of(patient, run),
                 fmt::format("{} wrong elements at {}, {} result{} wrong in all", *bad->wrong_count,
                             text_of_bytes(bad->size_bytes), sizes, sizes == 1 ? "" : "s"));
    finding.evidence = {
        evidence(patient.machine, "#wrong", std::to_string(*bad->wrong_count), "0", bad->source)};
    finding.impact.text = "training on wrong sums; no rate of this run means anything";
    finding.remedy = {
        {.text = "run again without the protocols and transports that corrupt most often, one at a "
                 "time, to see which is at fault",
         .command = "NCCL_PROTO=Simple all_reduce_perf -b 8 -e 1G -f 2 -c 1; NCCL_NVLS_ENABLE=0 "
                    "all_reduce_perf -b 8 -e 1G -f 2 -c 1"},
        {.text = "look for memory and link errors", .command = "railgauge check"}};
  }
}

void nothing(const Patient& patient, Verdicts& out) {
  for (const BenchmarkRun& run : patient.machine.benchmarks) {
    if (run.tool != BenchmarkTool::nccl_tests) continue;
    if (!communicates_nothing(run)) {
      out.pass();
      continue;
    }
    Finding& finding =
        out.fail(bandwidth::subject_of(patient, run),
                 "a single rank communicates with nobody: busbw is 0 whatever the machine can do");
    finding.evidence = {evidence(patient.machine, "ranks", run.ranks ? "1" : "busbw 0.00", "",
                                 run.rows.front().source)};
    finding.impact.text = "the run measures copies inside one GPU, not the interconnect";
    finding.remedy = {
        {.text = "give one process all GPUs of the machine",
         .command = "all_reduce_perf -b 8 -e 8G -f 2 -g 8"},
        {.text = "or build nccl-tests with MPI=1 and start one process a GPU: without it every "
                 "process is a job of its own",
         .command = "make MPI=1 && mpirun -np 8 ./build/all_reduce_perf -b 8 -e 8G -f 2 -g 1"}};
  }
}

// As fast as rings, where the switches could add up: NVLS is not used.
void algorithm(const Patient& patient, Verdicts& out) {
  for (const JudgedRun& run : judged_runs(patient).judged) {
    if (run.best == nullptr || !run.found.multicast) continue;
    const auto chosen = run.best->found.algorithm;
    const bool in_switches =
        chosen == nccl_cost::Algorithm::nvls || chosen == nccl_cost::Algorithm::nvls_tree;
    if (!in_switches) continue;
    nccl_cost::Fabric rings = run.found;
    rings.multicast = false;
    const auto by_rings = nccl_cost::expected(rings, run.what.collective,
                                              static_cast<double>(run.best->row->size_bytes));
    if (!by_rings) continue;
    const double of_rings = run.best->row->busbw->value / by_rings->busbw.value;
    const bool near_rings = of_rings > 0.9 && of_rings < 1.08 && of_found(run) < 0.9;
    if (!near_rings) {
      out.pass();
      continue;
    }
    Finding& finding =
        out.fail(run.subject, fmt::format("{} busbw is what rings give ({}); {} would give {}",
                                          text(*run.best->row->busbw), text(by_rings->busbw),
                                          nccl_cost::text(chosen), text(run.best->found.busbw)));
    finding.evidence = table(patient, run);
    finding.impact.text = "all-reduces of large tensors take longer in proportion";
    finding.impact.now = *run.best->row->busbw;
    finding.impact.could = run.best->found.busbw;
    finding.impact.lost_fraction = std::clamp(1 - of_found(run), 0.0, 1.0);
    finding.remedy = {{.text =
                           "see why NVLink SHARP is off: a variable, an old NCCL (before 2.17), "
                           "a container without /dev/nvidia-caps, fabric manager",
                       .command = "env | grep -E 'NCCL_(NVLS|ALGO)'; NCCL_DEBUG=INFO "
                                  "all_reduce_perf -b 1G -e 1G -g 8 2>&1 | grep -i nvls"}};
  }
}

void latency_bound(const Patient& patient, Verdicts& out) {
  for (const JudgedRun& run : judged_runs(patient).judged) {
    if (run.best != nullptr) {
      out.pass();
      continue;
    }
    const auto& largest = *std::max_element(
        run.sizes.begin(), run.sizes.end(),
        [](const auto& a, const auto& b) { return a.row->size_bytes < b.row->size_bytes; });
    Finding& finding = out.fail(
        run.subject,
        fmt::format("{} is the largest size: {:.0f} % of its time is latency, so the run "
                    "says nothing about bandwidth",
                    text_of_bytes(largest.row->size_bytes), 100 * largest.found.latency_share));
    finding.evidence = table(patient, run);
    finding.remedy = {
        {.text = "measure up to sizes that fill the links",
         .command = fmt::format("{}_perf -b 8 -e 8G -f 2 -g {}",
                                nccl_cost::text(run.what.collective), run.found.gpus_per_node)}};
  }
}

Rule below_expected_rule() {
  return {
      .id = "NCC201",
      .name = "bandwidth-below-expected",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::benchmark},
      .look = below_expected,
      .page = {
          .what = "A collective is slower than the machine should do, by NCCL's published cost "
                  "model and the machine's links.",
          .why = "Eight H100 reach about 480 GB/s busbw in a large all-reduce (360-370 without "
                 "NVLink SHARP), eight A100 230-240; between nodes the adapters decide: eight of "
                 "400 Gb/s carry 350-400 GB/s a node. A job that gets half takes twice as long in "
                 "every collective.",
          .by_hand = "all_reduce_perf -b 8 -e 8G -f 2 -g 8\nCompare the busbw column of the "
                     "largest sizes, not the average at the end, which small sizes pull down.",
          .remedy = "Look for the cause among the other findings: links that are down or narrow, "
                    "adapters that are not used, GPUDirect that is off, variables that pin a "
                    "transport.",
          .benign_if = "Other jobs used the GPUs or the network at the same time, the sizes are "
                       "small, or the ranks were spread over nodes in another way than assumed "
                       "(give --nodes and --nic). Slower than expected means below 75 % on one "
                       "node, 70 % over several, 50 % without NVLink.",
          .references = {performance_doc, "NVIDIA/nccl: src/graph/tuning.cc"}}};
}

Rule wrong_rule() {
  return {
      .id = "NCC206",
      .name = "wrong-results",
      .severity = Severity::error,
      .weight = 100,
      .needs = {Need::benchmark},
      .look = wrong,
      .page = {.what = "nccl-tests found elements that are not the sum they should be.",
               .why = "Data is corrupted on the way: faulty memory, a link, PCIe peer traffic "
                      "through an IOMMU, or a protocol that the path does not support (LL128 needs "
                      "stores of 128 bytes that stay whole).",
               .by_hand = "all_reduce_perf -b 8 -e 1G -f 2 -g 8 -c 1\nThe column #wrong must be 0 "
                          "in every row.",
               .remedy = "Take the node out. Run with NCCL_PROTO=Simple, NCCL_P2P_DISABLE=1 and "
                         "NCCL_NVLS_ENABLE=0 one at a time to find the path that corrupts, then "
                         "look for errors of that hardware.",
               .benign_if = "Never. N/A in the column means that nothing was checked (-c 0).",
               .references = {performance_doc, guide}}};
}

Rule nothing_rule() {
  return {
      .id = "NCC209",
      .name = "nothing-communicated",
      .severity = Severity::warning,
      .weight = 60,
      .needs = {Need::benchmark},
      .look = nothing,
      .page = {.what = "The benchmark ran with a single rank, so nothing was communicated.",
               .why = "Without MPI support each process that mpirun starts is a job of one rank. "
                      "The run ends without an error and prints a busbw of 0.",
               .by_hand = "Count the lines \"# Rank\" above the table: there must be one a GPU.",
               .remedy = "Use -g 8 in one process, or build with MPI=1.",
               .benign_if = "One rank was meant, to measure copies inside a GPU.",
               .references = {"nccl-tests: README.md, sections Build and Usage"}}};
}

Rule algorithm_rule() {
  return {
      .id = "NCC210",
      .name = "algorithm-choice",
      .severity = Severity::note,
      .weight = 20,
      .needs = {Need::benchmark},
      .look = algorithm,
      .page = {.what = "A large all-reduce runs at the rate of rings although the NVSwitches could "
                       "add (NVLink SHARP).",
               .why = "In the switch every byte crosses a GPU's links once each way instead of "
                      "nearly twice: about 480 instead of 360 GB/s on eight H100.",
               .by_hand = "NCCL_DEBUG=INFO all_reduce_perf -b 1G -e 1G -g 8 2>&1 | grep -i nvls\n"
                          "\"NVLS multicast support is available\" and channels of NVLS must "
                          "appear.",
               .remedy = "Unset NCCL_NVLS_ENABLE and NCCL_ALGO, update NCCL, start the fabric "
                         "manager, and let containers see /dev/nvidia-caps.",
               .benign_if = "NVLS was turned off on purpose, for bitwise equal results or for "
                            "memory. Then rings at this rate are healthy.",
               .references = {guide}}};
}

Rule latency_rule() {
  return {
      .id = "NCC212",
      .name = "latency-bound",
      .severity = Severity::note,
      .weight = 20,
      .needs = {Need::benchmark},
      .look = latency_bound,
      .page = {.what = "Every size of the run is so small that its time is latency.",
               .why = "Below some megabytes a collective takes 5 to 50 microseconds whatever the "
                      "links carry, so the rate that is printed grows with the size and is no "
                      "bandwidth.",
               .by_hand = "Look whether the time column stays the same from one size to the next.",
               .remedy = "Measure up to 1 GiB or more: -b 8 -e 8G -f 2.",
               .benign_if = "Latency was what the run should measure.",
               .references = {performance_doc}}};
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out{below_expected_rule(), wrong_rule(), nothing_rule(), algorithm_rule(),
                          latency_rule()};
    for (auto part : {cause_rules(), adapter_rules(), copy_rules()})
      for (Rule& rule : part) out.push_back(std::move(rule));
    return out;
  }();
  return list;
}

}  // namespace

Family bandwidth_rules() { return rules(); }

}  // namespace railgauge::judge
