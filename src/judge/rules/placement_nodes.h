// NUMA nodes of a machine and who is on which; and the files of the family `placement`.
//   const Nodes nodes(machine);
//   nodes.cpus_of(1)          // "48-95", where it is known
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "judge/rule.h"
#include "judge/rules/placement_cpu_set.h"

namespace railgauge::judge {

class Nodes {
 public:
  explicit Nodes(const model::Machine& machine);

  // Nodes that have CPUs; nodes made of GPU or CXL memory are not among them.
  const std::map<int, CpuSet>& with_cpus() const { return cpus_; }
  const CpuSet* cpus_of(int node) const;
  const CpuSet& all_cpus() const { return all_; }
  std::optional<int> node_of_cpu(int cpu) const;
  model::SourceRef source_of(int node) const;

 private:
  std::map<int, CpuSet> cpus_;
  std::map<int, model::SourceRef> sources_;
  CpuSet all_;
};

// The GPUs that the job sees: those of CUDA_VISIBLE_DEVICES by number, else all.
std::vector<model::DeviceId> visible_gpus(const model::Machine& machine);
bool visibility_is_set(const model::Machine& machine);

std::vector<Rule> placement_device_rules();   // where devices are
std::vector<Rule> placement_process_rules();  // where processes may run
std::vector<Rule> placement_memory_rules();   // where memory is

}  // namespace railgauge::judge
