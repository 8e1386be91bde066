#include "observe/synthetic/description.h"

#include "observe/synthetic/builder.h"
#include "observe/synthetic/gpu_links.h"

namespace railgauge::observe {
namespace {

void host_facts(YamlRow& top, model::Machine& machine, model::SourceRef source) {
  if (!top.has("host")) return;
  YamlRow host = top.row("host");
  host.only({"product", "hypervisor"});
  if (host.has("product")) machine.host.product.claim(host.text("product"), source);
  if (host.has("hypervisor")) machine.host.hypervisor.claim(host.text("hypervisor"), source);
}

// GPUs say which CPUs are near, as nvidia-smi would.
void near_cpus(model::Machine& machine) {
  for (const model::DeviceId id : machine.of_kind(model::DeviceKind::gpu)) {
    model::Device& gpu = machine[id];
    const auto node = machine.indexed(model::DeviceKind::numa_node, gpu.numa_node.value_or(-1));
    if (!node) continue;
    gpu.gpu->numa_affinity.claim(std::to_string(*gpu.numa_node), gpu.seen_in);
    gpu.gpu->cpu_affinity.claim(*machine[*node].cpu->cpus, gpu.seen_in);
  }
}

}  // namespace

Result<model::Machine> described_machine(const std::string& yaml, const std::string& file,
                                         const model::Catalogue& catalogue) {
  auto node = parse_yaml(yaml, file);
  if (!node) return tl::unexpected(std::move(node.error()));
  std::optional<Error> problem;
  YamlRow top(*node, file, problem);
  top.only({"about", "sources", "aliases", "host", "cpu", "numa", "distances", "parts", "tree",
            "nvlink", "xgmi", "c2c", "record"});
  if (top.texts("sources").empty()) top.complain("\"sources\" is missing");

  model::Machine machine;
  const model::SourceRef source = machine.sources.add(file, model::Trust::catalogue);
  host_facts(top, machine, source);
  try {
    Builder builder(machine, read_parts(top), source);
    if (!problem) builder.packages_and_nodes(top);
    if (!problem) builder.tree(top);
    if (!problem) builder.number_devices();
    if (!problem) add_gpu_links(top, machine, catalogue, source);
  } catch (const YAML::Exception& e) {
    top.complain(e.what());
  }
  if (problem) return tl::unexpected(std::move(*problem));
  near_cpus(machine);
  return machine;
}

}  // namespace railgauge::observe
