#include "observe/sysfs/pci_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "observe/pci_kind.h"
#include "observe/sysfs/pci_function.h"
#include "observe/sysfs/pci_names.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;
using model::RemarkLevel;
using model::SourceRef;
using model::Trust;

constexpr std::size_t max_depth = 40;  // capture goes 32 bridges deep, below a few directories
constexpr std::size_t max_devices = 20'000;

class Tree {
 public:
  Tree(const Recording& recording, Machine& machine) : recording_(recording), machine_(machine) {}

  // Makes the devices that the directories of one recorded path stand for.
  // Paths come sorted, so that most directories are those of the path before.
  void grow(std::string_view path) {
    if (path.starts_with(directory_) && path.find('/', directory_.size()) == path.npos) return;
    directory_ = path.substr(0, path.rfind('/') + 1);
    const auto same = static_cast<std::size_t>(
        std::mismatch(path.begin(), path.end(), before_.begin(), before_.end()).first -
        path.begin());
    while (!steps_.empty() && steps_.back().end >= same) steps_.pop_back();
    before_ = path;
    std::size_t end = path.find('/', steps_.empty() ? 0 : steps_.back().end + 1);
    for (; end != std::string_view::npos && steps_.size() < max_depth;
         end = path.find('/', end + 1))
      steps_.push_back(
          {end, place(path.substr(0, end), steps_.empty() ? std::nullopt : steps_.back().device)});
  }

  // Every bridge's role, parents before children: devices were made in that order.
  void decide_kinds() {
    std::set<DeviceId> have_bridges;
    for (const DeviceId id : functions_)
      if (is_bridge(id) && machine_[id].parent) have_bridges.insert(*machine_[id].parent);
    for (const DeviceId id : functions_) decide(id, have_bridges.contains(id));
  }

  const std::vector<DeviceId>& functions() const { return functions_; }

 private:
  std::optional<DeviceId> place(std::string_view directory, std::optional<DeviceId> parent) {
    const std::string_view name = directory.substr(directory.rfind('/') + 1);
    const auto address = function_name(name);
    const auto bus = root_bus_name(name);
    if (!bus && !(address && parent)) return parent;
    const auto known = devices_.find(directory);
    if (known != devices_.end()) return known->second;
    if (machine_.devices.size() >= max_devices) return too_many(directory, parent);
    const SourceRef here = machine_.sources.add(directory, Trust::kernel);
    const auto id = bus ? add_bus(*bus, here) : add_function(*address, directory, here);
    if (!id) {
      devices_.emplace(directory, *parent);  // said once; what lies below moves up
      return parent;
    }
    if (parent) {
      machine_[*id].parent = parent;
      machine_[*id].parent_source = here;
    }
    devices_.emplace(directory, *id);
    return id;
  }

  DeviceId add_bus(const RootBus& bus, SourceRef here) {
    const DeviceId id = machine_.add(DeviceKind::host_bridge, here);
    model::Device& device = machine_[id];
    device.id = fmt::format("pci{:04x}:{:02x}", bus.domain, bus.bus);
    device.name.claim(device.id, here);
    device.pci.emplace().secondary_bus.claim(bus.bus, here);
    return id;
  }

  std::optional<DeviceId> add_function(const model::PciAddress& address, std::string_view directory,
                                       SourceRef here) {
    if (!addresses_.insert(address).second) {
      machine_.remark(
          RemarkLevel::warning,
          address.text() + " was seen before in another directory; this one is not read", here);
      return std::nullopt;
    }
    const DeviceId id = machine_.add(DeviceKind::other, here);
    functions_.push_back(id);
    machine_[id].address.claim(address, here);
    Attributes attributes(recording_, machine_, directory);
    read_pci_function(attributes, machine_, machine_[id]);
    finish_endpoint(attributes, machine_[id]);
    return id;
  }

  void finish_endpoint(Attributes& attributes, model::Device& device) {
    if (device.pci->pci_class && device.pci->pci_class->is_pci_bridge()) return;
    device.kind = endpoint_kind(*device.pci);
    if (device.kind == DeviceKind::gpu)
      attributes.fill(device.gpu.emplace().cpu_affinity, "local_cpulist", plain_text);
    if (device.kind == DeviceKind::nic) device.nic.emplace();
    if (device.kind == DeviceKind::nic || device.kind == DeviceKind::nvme)
      attributes.keep(device, "local_cpulist", "local_cpulist");
  }

  bool is_bridge(DeviceId id) const {
    const auto& pci_class = machine_[id].pci->pci_class;
    return pci_class && pci_class->is_pci_bridge();
  }

  void decide(DeviceId id, bool has_bridges_below) {
    if (!is_bridge(id)) return;
    model::Device& device = machine_[id];
    if (device.pci->port) {
      device.kind = bridge_kind(*device.pci->port);
      return;
    }
    std::optional<DeviceKind> parent;
    if (device.parent) parent = machine_[*device.parent].kind;
    const bool subtractive = (device.pci->pci_class->code & 0xff) == 0x01;
    device.kind = bridge_kind_by_place(parent, has_bridges_below, subtractive);
    SourceRef guess = device.seen_in;
    guess.trust = Trust::inferred;
    device.pci->port.claim(port_of(device.kind), guess);
  }

  std::optional<DeviceId> too_many(std::string_view directory, std::optional<DeviceId> parent) {
    if (!std::exchange(said_too_many_, true))
      machine_.remark(RemarkLevel::error,
                      fmt::format("more than {} devices; the rest is not read", max_devices),
                      machine_.sources.add(directory, Trust::kernel));
    return parent;
  }

  const Recording& recording_;
  Machine& machine_;
  // One directory of the path before: where its name ends, and the device that it is in.
  struct Step {
    std::size_t end;
    std::optional<DeviceId> device;
  };

  std::string_view before_;
  std::string_view directory_ = "/";  // of the path before; no path starts with this
  std::vector<Step> steps_;
  std::map<std::string_view, DeviceId> devices_;  // by directory, of the recording
  std::set<model::PciAddress> addresses_;
  std::vector<DeviceId> functions_;  // in the order of their making
  bool said_too_many_ = false;
};

bool names_a_directory(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  return function_name(name) || root_bus_name(name);
}

}  // namespace

void read_pci(const Recording& recording, Machine& machine) {
  Tree tree(recording, machine);
  const std::string_view below = "sys/devices/";
  for (auto it = recording.entries.lower_bound(below);
       it != recording.entries.end() && it->first.starts_with(below); ++it) {
    tree.grow(it->first);
    if (it->second.kind == Entry::Kind::refused && names_a_directory(it->first))
      machine.remark(RemarkLevel::warning, "not read: " + std::string(it->second.bytes),
                     machine.sources.add(it->first, Trust::kernel));
  }
  tree.decide_kinds();
}

}  // namespace railgauge::observe
