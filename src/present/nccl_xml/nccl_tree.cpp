#include "present/nccl_xml/nccl_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Machine;

bool is_cpu(DeviceKind kind) { return kind == DeviceKind::numa_node; }
bool is_virtual_nic(const Device& device) {
  return device.kind == DeviceKind::nic && stated(device, "virtual") != nullptr;
}

// Where NCCL would hang the device. It climbs two steps at a time, from a function over the
// downstream port to the upstream port, since every switch is two bridges to the kernel; so of
// bridges whose role is unknown every second one counts. Source: ncclTopoGetXmlFromSys in
// graph/xml.cc.
std::optional<DeviceId> parent_in_nccl(const Machine& machine, DeviceId id) {
  int unknown_bridges = 0;
  const auto chain = model::ancestry(machine, id);
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const Device& device = machine[chain[i]];
    if (is_cpu(device.kind) || device.kind == DeviceKind::pcie_switch || stated(device, "busid"))
      return chain[i];
    if (device.kind == DeviceKind::pcie_bridge && ++unknown_bridges == 2) return chain[i];
  }
  return std::nullopt;
}

std::optional<DeviceId> numa_of(const Machine& machine, DeviceId id) {
  for (const DeviceId up : model::ancestry(machine, id)) {
    if (!machine[up].numa_node) continue;
    for (const DeviceId node : machine.of_kind(DeviceKind::numa_node))
      if (machine[node].index && *machine[node].index == *machine[up].numa_node) return node;
  }
  return std::nullopt;
}

// Switches nobody gave an address get one of bus ffff:ff, as cloud providers' own files do for the
// switches a virtual machine does not show.
std::optional<std::string> invented_busid(std::size_t number) {
  if (number > 0xff) return std::nullopt;
  return fmt::format("ffff:ff:{:02x}.{:x}", number >> 3, number & 7);
}

class Builder {
 public:
  explicit Builder(const Machine& machine) : machine_(machine) {}

  NcclTree build() {
    for (const DeviceId id : machine_.all()) choose(id);
    for (const DeviceId id : machine_.all())
      if (chosen_.contains(id)) hang(id);
    for (const DeviceId id : machine_.of_kind(DeviceKind::numa_node))
      if (tree_.below.contains(id) || machine_[id].seen_in.trust == model::Trust::file)
        tree_.cpus.push_back(id);
    return std::move(tree_);
  }

 private:
  void choose(DeviceId id) {
    const Device& device = machine_[id];
    const bool endpoint = device.kind == DeviceKind::gpu || device.kind == DeviceKind::nic;
    if (!endpoint && !stated(device, "busid")) return;
    if (is_virtual_nic(device)) {
      chosen_.insert(id);
      return;
    }
    if (const std::string* text = stated(device, "busid"); !device.address && text)
      tree_.busid[id] = *text;
    else if (device.address)
      tree_.busid[id] = device.address->text();
    else
      return tree_.without_address.push_back(id);
    chosen_.insert(id);
    choose_ancestors(id);
  }

  void choose_ancestors(DeviceId id) {
    std::size_t steps = 0;
    for (auto up = parent_in_nccl(machine_, id); up && !is_cpu(machine_[*up].kind);
         up = parent_in_nccl(machine_, *up)) {
      if (chosen_.contains(*up) || ++steps > machine_.devices.size()) return;
      if (const auto& address = machine_[*up].address) {
        tree_.busid[*up] = address->text();
      } else {
        const auto busid = invented_busid(++invented_);
        if (!busid) return;
        tree_.busid[*up] = *busid;
      }
      chosen_.insert(*up);
    }
  }

  void hang(DeviceId id) {
    auto parent = parent_in_nccl(machine_, id);
    while (parent && !is_cpu(machine_[*parent].kind) && !chosen_.contains(*parent))
      parent = parent_in_nccl(machine_, *parent);
    if (!parent) parent = numa_of(machine_, id);
    if (parent)
      tree_.below[*parent].push_back(id);
    else
      tree_.loose.push_back(id);
  }

  const Machine& machine_;
  NcclTree tree_;
  std::set<DeviceId> chosen_;
  std::size_t invented_ = 0;
};

}  // namespace

const std::string* stated(const Device& device, const std::string& key) {
  const auto found = std::find_if(device.attributes.begin(), device.attributes.end(),
                                  [&](const auto& a) { return a.key == "nccl." + key; });
  return found == device.attributes.end() ? nullptr : &found->value;
}

NcclTree nccl_tree(const Machine& machine) { return Builder(machine).build(); }

}  // namespace railgauge::present
