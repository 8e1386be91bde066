#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "base/strings.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

std::string_view prefix(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::package: return "cpu";
    case DeviceKind::numa_node: return "numa";
    case DeviceKind::host_bridge: return "hostbridge";
    case DeviceKind::root_port: return "rootport";
    case DeviceKind::pcie_switch: return "switch";
    case DeviceKind::switch_port: return "switchport";
    case DeviceKind::pcie_bridge: return "bridge";
    case DeviceKind::gpu: return "gpu";
    case DeviceKind::nvswitch: return "nvswitch";
    case DeviceKind::nic: return "nic";
    case DeviceKind::nvme: return "nvme";
    case DeviceKind::other: return "other";
  }
  return "other";
}

// What the system itself calls a network adapter; empty when it has no name.
std::string own_name(const Device& device) {
  if (!device.nic) return {};
  if (device.nic->rdma_device) return *device.nic->rdma_device;
  if (device.nic->netdev) return *device.nic->netdev;
  for (const NicPort& port : device.nic->ports)
    if (port.netdev) return *port.netdev;
  return {};
}

// Ids are typed, printed and compared: what a name holds beside printable characters would differ
// between these.
std::string printable(std::string_view name) {
  std::string out = valid_utf8(strip_terminal_codes(name));
  for (char& c : out)
    if (c == ' ' || c == '\t' || c == '\n' || c == '\x7f') c = '_';
  return out.find_first_not_of('_') == std::string::npos ? std::string() : out;
}

class Names {
 public:
  // The name, or name_2, name_3 … where it is taken.
  std::string claim(const std::string& name) {
    std::string out = name;
    for (int n = 2; !taken_.insert(out).second; ++n) out = name + "_" + std::to_string(n);
    return out;
  }
  std::string next(DeviceKind kind, int& number) {
    std::string out;
    do out = std::string(prefix(kind)) + std::to_string(number++);
    while (!taken_.insert(out).second);
    return out;
  }

 private:
  std::set<std::string> taken_;
};

void name_kind(Machine& machine, DeviceKind kind, Names& names) {
  std::vector<DeviceId> unnumbered;
  for (const DeviceId id : machine.of_kind(kind)) {
    Device& device = machine[id];
    if (const std::string name = printable(own_name(device)); !name.empty())
      device.id = names.claim(name);
    else if (device.index && *device.index >= 0)
      device.id = names.claim(std::string(prefix(kind)) + std::to_string(*device.index));
    else
      unnumbered.push_back(id);
  }
  // By address, those without one last; equal ones keep the order they were read in.
  std::stable_sort(unnumbered.begin(), unnumbered.end(), [&](DeviceId a, DeviceId b) {
    const auto key = [&](DeviceId id) {
      const auto& address = machine[id].address;
      return std::tuple(!address.known(), address.value_or(PciAddress{}));
    };
    return key(a) < key(b);
  });
  int number = 0;
  for (const DeviceId id : unnumbered) machine[id].id = names.next(kind, number);
}

}  // namespace

void settle_ids(Machine& machine) {
  Names names;
  for (int kind = 0; kind <= static_cast<int>(DeviceKind::other); ++kind)
    name_kind(machine, static_cast<DeviceKind>(kind), names);
}

}  // namespace railgauge::model
