#include "observe/join/once.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace railgauge::observe {
namespace {

using namespace model;

// `key` of each is another.
template <class List, class Key>
bool each_once(const List& list, Key key) {
  if (list.size() < 2) return true;
  std::set<std::decay_t<decltype(key(list.front()))>> seen;
  for (const auto& one : list)
    if (!seen.insert(key(one)).second) return false;
  return true;
}

bool gpu_once(const GpuFacts& gpu) {
  return each_once(gpu.nvlinks, [](const NvLinkPort& port) { return port.number; }) &&
         each_once(gpu.mig_devices, [](const std::string& name) { return name; });
}

bool nic_once(const NicFacts& nic) {
  const auto rows_once = [](const NicPort& port) {
    return each_once(port.gids, [](const Gid& gid) { return gid.index; });
  };
  return each_once(nic.ports, [](const NicPort& port) { return port.number; }) &&
         std::all_of(nic.ports.begin(), nic.ports.end(), rows_once);
}

bool device_once(const Device& device) {
  const auto said = [](const Attribute& attribute) {
    return std::tuple(attribute.key, attribute.value, attribute.source.index, attribute.source.line,
                      attribute.source.trust);
  };
  return each_once(device.attributes, said) && (!device.gpu || gpu_once(*device.gpu)) &&
         (!device.nic || nic_once(*device.nic));
}

}  // namespace

bool says_everything_once(const Machine& part) {
  return part.links.empty() && part.pairs.empty() && part.nccl_runs.empty() && part.hangs.empty() &&
         part.benchmarks.empty() && part.topology_files.empty() &&
         each_once(part.modules, [](const KernelModule& module) { return module.name; }) &&
         each_once(part.interrupts, [](const Interrupt& interrupt) { return interrupt.number; }) &&
         std::all_of(part.devices.begin(), part.devices.end(), device_once);
}

void add_parts_of_kind(Device& device) {
  if (device.kind == DeviceKind::gpu && !device.gpu) device.gpu.emplace();
  if (device.kind == DeviceKind::nic && !device.nic) device.nic.emplace();
  if ((device.kind == DeviceKind::package || device.kind == DeviceKind::numa_node) && !device.cpu)
    device.cpu.emplace();
}

}  // namespace railgauge::observe
