#include "judge/rules/placement_nodes.h"

#include "base/strings.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {

using namespace model;

Nodes::Nodes(const Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::numa_node)) {
    const Device& device = machine[id];
    if (!device.index || !device.cpu || !device.cpu->cpus) continue;
    const auto cpus = CpuSet::parse(*device.cpu->cpus);
    if (!cpus || cpus->empty()) continue;
    cpus_[*device.index] = *cpus;
    sources_[*device.index] = device.cpu->cpus.source();
    all_.add(*cpus);
  }
}

const CpuSet* Nodes::cpus_of(int node) const {
  const auto at = cpus_.find(node);
  return at == cpus_.end() ? nullptr : &at->second;
}

std::optional<int> Nodes::node_of_cpu(int cpu) const {
  for (const auto& [node, cpus] : cpus_)
    if (cpus.has(cpu)) return node;
  return std::nullopt;
}

SourceRef Nodes::source_of(int node) const {
  const auto at = sources_.find(node);
  return at == sources_.end() ? SourceRef{} : at->second;
}

bool visibility_is_set(const Machine& machine) {
  return variable(machine, "CUDA_VISIBLE_DEVICES") != nullptr;
}

std::vector<DeviceId> visible_gpus(const Machine& machine) {
  const Variable* chosen = variable(machine, "CUDA_VISIBLE_DEVICES");
  const auto all = machine.of_kind(DeviceKind::gpu);
  if (chosen == nullptr) return all;
  std::vector<DeviceId> out;
  for (const std::string_view word : split(chosen->value, ',')) {
    const auto number = parse_int(trim(word));
    // UUIDs and MIG names are not followed: then nothing is known of what is visible.
    if (!number || *number < 0 || *number > 1024) return all;
    if (const auto id = machine.indexed(DeviceKind::gpu, static_cast<int>(*number)))
      out.push_back(*id);
  }
  return out.empty() ? all : out;
}

}  // namespace railgauge::judge
