// What the rules of the bandwidth family share: each run of nccl-tests with the machine it ran on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/rule.h"
#include "model/nccl_cost/machine_fabric.h"
#include "model/nccl_cost/verdict.h"

namespace railgauge::judge::bandwidth {

// One run that can be judged.
struct JudgedRun {
  const model::BenchmarkRun* run = nullptr;
  std::string subject;  // "all_reduce of 8 GPUs (nccl.txt)"
  model::nccl_cost::Measured what;
  model::nccl_cost::Fabric found;
  std::optional<model::nccl_cost::Fabric> nominal;
  std::string basis;  // "the machine as it was seen", "H100 SXM5 80GB as sold"
  std::vector<model::nccl_cost::SizeVerdict> sizes;
  const model::nccl_cost::SizeVerdict* best = nullptr;  // into sizes
  bool expects_nvlink = false;                          // as found or as sold
  double pcie_gbps = 0;                                 // of one GPU, as sold; 0: unknown
};

// One that cannot, and why.
struct UnjudgedRun {
  std::string subject;
  std::string needs;
  std::string command;
};

struct Runs {
  std::vector<JudgedRun> judged;
  std::vector<UnjudgedRun> unjudged;
};
Runs judged_runs(const Patient& patient);

std::string subject_of(const Patient& patient, const model::BenchmarkRun& run);

// A single rank moves nothing: its busbw is 0 however fast it is.
bool communicates_nothing(const model::BenchmarkRun& run);

// Measured over expected of the best size, against the machine as sold where that is known.
double of_expected(const JudgedRun& run);
double of_found(const JudgedRun& run);
double measured_gbps(const JudgedRun& run);
// Below this share of what is expected a run is too slow. Rings over PCIe follow the model less.
double tolerance(const JudgedRun& run);
bool too_slow(const JudgedRun& run);

// Whether NCCL's own log, where there is one, shows GPUDirect RDMA in use.
std::optional<bool> gpudirect_seen(const Patient& patient);

// Size by size: measured, expected as found and as sold, percentage.
std::vector<model::Evidence> table(const Patient& patient, const JudgedRun& run);

// The parts of the family; bandwidth.cpp joins them.
std::vector<Rule> cause_rules();
std::vector<Rule> adapter_rules();
std::vector<Rule> copy_rules();

}  // namespace railgauge::judge::bandwidth
