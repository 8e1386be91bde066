#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/strings.h"
#include "observe/hwloc/hwloc_context.h"
#include "observe/nccl_xml/cpu_mask.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;

struct Cache {
  int level = 0;
  std::uint64_t bytes = 0;
  std::uint32_t first_cpu = 0;
};

// The CPU side of the tree, flat.
struct Found {
  std::vector<pugi::xml_node> packages;
  std::vector<pugi::xml_node> numa_nodes;
  std::vector<std::uint32_t> cores;  // the first CPU of each
  std::vector<Cache> caches;
};

std::vector<std::uint32_t> cpus(pugi::xml_node object) {
  const auto mask = parse_cpu_mask(object.attribute("cpuset").value());
  return mask ? cpus_of(*mask) : std::vector<std::uint32_t>{};
}

std::optional<std::uint32_t> first_cpu(pugi::xml_node object) {
  const auto mask = parse_cpu_mask(object.attribute("cpuset").value());
  if (!mask) return std::nullopt;
  for (std::uint32_t group = 0; group < mask->size(); ++group)
    for (std::uint32_t bit = 0; bit < 32; ++bit)
      if (((*mask)[group] >> bit & 1u) != 0) return group * 32 + bit;
  return std::nullopt;
}

// 3 for "L3Cache", and for format 1's "Cache" with depth 3; instruction caches are left out.
std::optional<int> cache_level(pugi::xml_node object, std::string_view type) {
  if (type.size() == 7 && type[0] == 'L' && type.substr(2) == "Cache" && type[1] >= '1' &&
      type[1] <= '5')
    return type[1] - '0';
  if (type != "Cache" || hwloc_attribute(object, "cache_type") == "2") return std::nullopt;
  const auto depth = parse_int(object.attribute("depth").value());
  if (!depth || *depth < 1 || *depth > 5) return std::nullopt;
  return static_cast<int>(*depth);
}

void collect(pugi::xml_node object, Found& found) {
  const std::string_view type = hwloc_type(object);
  if (type == "Package" || type == "Socket") found.packages.push_back(object);
  if (type == "NUMANode" || type == "Node") found.numa_nodes.push_back(object);
  if (const auto cpu = type == "Core" ? first_cpu(object) : std::nullopt)
    found.cores.push_back(*cpu);
  if (const auto level = cache_level(object, type)) {
    const auto bytes = parse_int(object.attribute("cache_size").value());
    const auto cpu = first_cpu(object);
    if (bytes && *bytes > 0 && cpu)
      found.caches.push_back({*level, static_cast<std::uint64_t>(*bytes), *cpu});
  }
  for (const pugi::xml_node child : object.children("object"))
    if (!is_io(hwloc_type(child))) collect(child, found);
}

template <class T>
void claim_number(model::Fact<T>& fact, std::optional<std::string_view> text,
                  model::SourceRef here) {
  const auto value = text ? parse_int(*text) : std::nullopt;
  if (value && *value >= 0 && *value <= 1'000'000) fact.claim(static_cast<T>(*value), here);
}

void claim_text(model::Fact<std::string>& fact, std::optional<std::string_view> text,
                model::SourceRef here) {
  if (text && !trim(*text).empty()) fact.claim(valid_utf8(trim(*text)), here);
}

void claim_cpus(model::Fact<std::string>& fact, pugi::xml_node object, model::SourceRef here) {
  const auto mask = parse_cpu_mask(object.attribute("cpuset").value());
  if (mask) fact.claim(cpu_list(*mask), here);
}

void read_package(HwlocContext& context, pugi::xml_node object) {
  const auto here = context.at(object);
  const DeviceId id = context.machine.add(DeviceKind::package, here);
  auto& device = context.machine[id];
  claim_number(device.index, hwloc_attribute(object, "os_index"), here);
  claim_text(device.cpu->vendor, hwloc_info(object, "CPUVendor"), here);
  claim_text(device.cpu->model_name, hwloc_info(object, "CPUModel"), here);
  claim_text(device.name, hwloc_info(object, "CPUModel"), here);
  claim_number(device.cpu->family, hwloc_info(object, "CPUFamilyNumber"), here);
  claim_number(device.cpu->model, hwloc_info(object, "CPUModelNumber"), here);
  claim_cpus(device.cpu->cpus, object, here);
  for (const std::uint32_t cpu : cpus(object)) context.package_of.emplace(cpu, id);
}

// The package that holds all CPUs of the node, or the one around a node without CPUs.
std::optional<DeviceId> package_of_node(const HwlocContext& context, pugi::xml_node object) {
  std::optional<DeviceId> package;
  for (const std::uint32_t cpu : cpus(object)) {
    const auto found = context.package_of.find(cpu);
    if (found == context.package_of.end()) return std::nullopt;
    if (package && *package != found->second) return std::nullopt;
    package = found->second;
  }
  return package;
}

void read_numa_node(HwlocContext& context, pugi::xml_node object) {
  const auto here = context.at(object);
  const DeviceId id = context.machine.add(DeviceKind::numa_node, here);
  auto& device = context.machine[id];
  claim_number(device.index, hwloc_attribute(object, "os_index"), here);
  claim_number(device.numa_node, hwloc_attribute(object, "os_index"), here);
  if (device.index) context.numa_nodes.emplace(*device.index, id);
  claim_cpus(device.cpu->cpus, object, here);
  const auto memory = parse_int(object.attribute("local_memory").value());
  if (memory && *memory >= 0)
    device.cpu->memory_bytes.claim(static_cast<std::uint64_t>(*memory), here);
  device.parent = package_of_node(context, object);
  device.parent_source = here;
  if (const auto subtype = hwloc_attribute(object, "subtype"))
    context.keep(id, "subtype", std::string(*subtype), object);
}

void count_cores(HwlocContext& context, const Found& found) {
  std::map<DeviceId, int> counts;
  std::map<std::uint32_t, std::vector<DeviceId>> nodes_of;
  for (std::size_t i = 0; i < found.numa_nodes.size(); ++i) {
    const DeviceId id{static_cast<std::uint32_t>(found.packages.size() + i)};
    for (const std::uint32_t cpu : cpus(found.numa_nodes[i]))
      if (auto& nodes = nodes_of[cpu]; nodes.size() < 8) nodes.push_back(id);
  }
  for (const std::uint32_t cpu : found.cores) {
    if (const auto at = context.package_of.find(cpu); at != context.package_of.end())
      ++counts[at->second];
    if (const auto at = nodes_of.find(cpu); at != nodes_of.end())
      for (const DeviceId id : at->second) ++counts[id];
  }
  for (const auto& [id, count] : counts)
    context.machine[id].cpu->core_count.claim(count, context.machine[id].seen_in);
}

// "L3 32 MiB x8, L2 1 MiB x64, L1 32 KiB x64", the largest level first.
void summarise_caches(HwlocContext& context, const Found& found) {
  std::map<DeviceId, std::map<std::pair<int, std::uint64_t>, int>> counts;
  for (const Cache& cache : found.caches)
    if (const auto at = context.package_of.find(cache.first_cpu); at != context.package_of.end())
      ++counts[at->second][{cache.level, cache.bytes}];
  for (const auto& [package, by_size] : counts) {
    std::string out;
    for (auto it = by_size.rbegin(); it != by_size.rend(); ++it)
      out += fmt::format("{}L{} {} x{}", out.empty() ? "" : ", ", it->first.first,
                         text_of_bytes(it->first.second), it->second);
    context.machine[package].cpu->caches.claim(out, context.machine[package].seen_in);
  }
}

}  // namespace

void read_hwloc_cpus(HwlocContext& context) {
  const pugi::xml_node machine = context.xml.root().child("object");
  Found found;
  collect(machine, found);
  constexpr std::size_t most = 1024;  // of each; the work per node is bounded by its cpuset
  if (found.packages.size() > most || found.numa_nodes.size() > most) {
    context.warn(machine, fmt::format("{} packages and {} NUMA nodes; only {} of each are read",
                                      found.packages.size(), found.numa_nodes.size(), most));
    found.packages.resize(std::min(found.packages.size(), most));
    found.numa_nodes.resize(std::min(found.numa_nodes.size(), most));
  }
  for (const pugi::xml_node object : found.packages) read_package(context, object);
  for (const pugi::xml_node object : found.numa_nodes) read_numa_node(context, object);
  count_cores(context, found);
  summarise_caches(context, found);
  const auto here = context.at(machine);
  // Format 3 moved what concerns the whole machine from the Machine object to the topology.
  const auto info = [&](std::string_view name) {
    const auto text = hwloc_info(machine, name);
    return text ? text : hwloc_info(context.xml.root(), name);
  };
  claim_text(context.machine.host.hostname, info("HostName"), here);
  claim_text(context.machine.host.kernel, info("OSRelease"), here);
  claim_text(context.machine.host.product, info("DMIProductName"), here);
  for (const DeviceId id : context.machine.of_kind(DeviceKind::package))
    claim_text(context.machine[id].cpu->architecture, info("Architecture"), here);
}

}  // namespace railgauge::observe
