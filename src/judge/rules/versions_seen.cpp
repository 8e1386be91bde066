#include "judge/rules/versions_seen.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;
using Seen = std::vector<SeenVersion>;

void add(Seen& out, const char* what, const Fact<std::string>& fact) {
  if (!fact) return;
  const bool known = std::any_of(out.begin(), out.end(),
                                 [&](const SeenVersion& one) { return one.version == *fact; });
  if (!known) out.push_back({what, *fact, fact.source()});
}

void add_library(Seen& out, const char* what, const Machine& machine, const char* name) {
  if (const auto at = machine.host.libraries.find(name); at != machine.host.libraries.end())
    add(out, what, at->second);
}

Seen nccl(const Machine& machine) {
  Seen out;
  // What a job said it runs outranks a library that lies somewhere.
  for (const NcclRun& run : machine.nccl_runs) add(out, "NCCL", run.version);
  if (out.empty()) add_library(out, "NCCL", machine, "libnccl");
  return out;
}

Seen cuda(const Machine& machine) {
  Seen out;
  for (const NcclRun& run : machine.nccl_runs) add(out, "CUDA that NCCL was built with", run.cuda);
  add_library(out, "CUDA runtime", machine, "libcudart");
  return out;
}

Seen firmware(const Machine& machine, std::string_view type) {
  Seen out;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const NicFacts& nic = *machine[id].nic;
    if (nic.firmware && nic.hca_type && *nic.hca_type == type)
      out.push_back({"firmware of " + machine[id].id, *nic.firmware, nic.firmware.source()});
  }
  return out;
}

Seen compute(const Machine& machine) {
  Seen out;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& capability = machine[id].gpu->compute_capability;
    if (!capability) continue;
    const std::string version = fmt::format("{}.{}", *capability / 10, *capability % 10);
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const SeenVersion& one) { return one.version == version; });
    if (!known) out.push_back({"compute capability", version, capability.source()});
  }
  return out;
}

Seen cpu(const Machine& machine, std::string_view architecture) {
  for (const Device& device : machine.devices)
    if (device.cpu && device.cpu->architecture && *device.cpu->architecture == architecture)
      return {{"CPU " + std::string(architecture), "", device.cpu->architecture.source()}};
  return {};
}

Seen module(const Machine& machine, std::string_view name) {
  const KernelModule* found = module_named(machine, name);
  if (found == nullptr) return {};
  return {{"module " + found->name, found->version.value_or(""), found->source}};
}

}  // namespace

std::vector<SeenVersion> versions_seen(const Machine& machine, std::string_view component) {
  Seen out;
  const auto colon = component.find(':');
  const auto rest =
      colon == std::string_view::npos ? std::string_view() : component.substr(colon + 1);
  const auto kind = component.substr(0, colon);
  if (kind == "nccl") return nccl(machine);
  if (kind == "cuda") return cuda(machine);
  if (kind == "compute") return compute(machine);
  if (kind == "firmware") return firmware(machine, rest);
  if (kind == "cpu") return cpu(machine, rest);
  if (kind == "module") return module(machine, rest);
  if (kind == "driver") add(out, "driver", machine.host.driver);
  if (kind == "kernel") add(out, "kernel", machine.host.kernel);
  if (kind == "ofed") add(out, "OFED", machine.host.ofed);
  return out;
}

}  // namespace railgauge::judge
