#include "judge/rules/pcie_link_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::judge {

using namespace model;

namespace {

constexpr std::uint16_t mellanox = 0x15b3;
constexpr BytesPerSecond least_port_rate = gigabits_per_second(25);
constexpr int least_width = 8;
constexpr std::uint32_t least_megatransfers = 8000;

bool named_fast(const Device& device) {
  if (!device.name) return false;
  for (const char* word : {"ConnectX", "BlueField", "InfiniBand", "Mellanox"})
    if (contains(*device.name, word)) return true;
  return false;
}

}  // namespace

bool is_fast_nic(const Device& device) {
  if (device.kind != DeviceKind::nic || !device.nic) return false;
  if (device.nic->rdma_device) return true;
  if (const auto rate = port_rates(device)) return *rate >= least_port_rate;
  if (named_fast(device)) return true;
  if (!device.pci) return true;
  if (device.pci->id && device.pci->id->vendor == mellanox) return true;
  const LinkEnd& link = device.pci->link;
  if (link.max_width && *link.max_width < least_width) return false;
  return !(link.max_speed && link.max_speed->megatransfers < least_megatransfers);
}

bool is_gpu_or_fast_nic(const Device& device) {
  return device.kind == DeviceKind::gpu || is_fast_nic(device);
}

std::set<DeviceId> serving_devices(const Machine& machine) {
  std::set<DeviceId> out;
  for (const DeviceId id : machine.all()) {
    if (!is_gpu_or_fast_nic(machine[id])) continue;
    for (const DeviceId up : ancestry(machine, id))
      if (!out.insert(up).second) break;
  }
  return out;
}

std::vector<DeviceId> served_by(const Machine& machine, DeviceId device) {
  std::vector<DeviceId> out;
  for (const DeviceId id : machine.all()) {
    if (!is_gpu_or_fast_nic(machine[id])) continue;
    const auto path = ancestry(machine, id);
    if (std::find(path.begin(), path.end(), device) != path.end()) out.push_back(id);
  }
  return out;
}

bool port_above_unseen(const Machine& machine, DeviceId device) {
  const auto& parent = machine[device].parent;
  if (!parent) return true;
  const auto& pci = machine[*parent].pci;
  return !pci || (!pci->link.max_width && !pci->link.max_speed);
}

std::optional<BytesPerSecond> port_rates(const Device& nic) {
  std::optional<BytesPerSecond> sum;
  if (!nic.nic) return sum;
  for (const NicPort& port : nic.nic->ports)
    if (port.rate) sum = sum.value_or(BytesPerSecond{}) + *port.rate;
  return sum;
}

bool links_are_virtual(const Patient& patient) {
  return in_virtual_machine(patient) && !patient.trust_virtual_links;
}

void set_cost(Finding& finding, const Link& link, std::string words) {
  finding.impact.text = std::move(words);
  if (!link.as_found || !link.nominal || !(link.nominal->value > 0)) return;
  finding.impact.now = *link.as_found;
  finding.impact.could = *link.nominal;
  finding.impact.lost_fraction = 1 - link.as_found->value / link.nominal->value;
}

std::string rates_of(const Link& link) {
  if (!link.as_found || !link.nominal) return {};
  return fmt::format("{} of {}", text(*link.as_found), text(*link.nominal));
}

}  // namespace railgauge::judge
