#include "observe/lspci/pci_machine.h"

#include <fmt/format.h>

#include <utility>

#include "base/strings.h"
#include "observe/pci_kind.h"

namespace railgauge::observe {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::SourceRef;

using Bus = std::pair<std::uint32_t, int>;  // domain, bus

struct BusRange {
  int last = 0;
  DeviceId bridge;
};

// A bridge says so by its class, or, where no class is printed, by its port type or the buses
// behind it. Host bridge functions are `other`: root buses are derived, not printed.
DeviceKind kind_of(const model::PciFacts& pci, std::optional<std::uint16_t> vendor) {
  using model::PciPort;
  const bool port =
      pci.port && *pci.port != PciPort::endpoint && *pci.port != PciPort::root_integrated;
  const bool bridge = pci.pci_class ? pci.pci_class->is_pci_bridge() : port || pci.secondary_bus;
  if (!bridge) return endpoint_kind(pci, vendor);
  return pci.port ? bridge_kind(*pci.port) : DeviceKind::pcie_bridge;
}

}  // namespace

PciMachine::PciMachine(const Input& input) {
  machine.name = input.name;
  source_ = machine.sources.add(input.name, model::Trust::tool);
}

DeviceId PciMachine::device(const model::PciAddress& address, std::uint32_t line) {
  const auto [found, added] = devices_.try_emplace(address);
  if (added) {
    found->second = machine.add(DeviceKind::other, at(line));
    Device& device = machine[found->second];
    device.address.claim(address, at(line));
    device.pci.emplace();
  }
  return found->second;
}

DeviceId PciMachine::device(const DeviceLine& line, std::uint32_t number) {
  const DeviceId id = device(line.address, number);
  Device& device = machine[id];
  const SourceRef here = at(number);
  if (line.id && device.pci->id && *device.pci->id != *line.id)
    warn(number, fmt::format("{} is another device than on line {}: two machines in one file? give "
                             "each its own file",
                             line.address.text(), device.pci->id.source().line));
  if (line.id) device.pci->id.claim(*line.id, here);
  if (line.pci_class)
    device.pci->pci_class.claim(*line.pci_class, here);
  else
    warn(number, fmt::format("{}: class {} is not one we know; lspci -nn prints its number",
                             line.address.text(), quoted(line.class_name)));
  if (line.revision) device.pci->revision.claim(*line.revision, here);
  if (!line.name.empty()) device.name.claim(line.name, here);
  if (line.vendor) vendors_.try_emplace(line.address, *line.vendor);
  return id;
}

void PciMachine::finish() {
  set_kinds();
  set_parents();
}

void PciMachine::set_kinds() {
  for (const auto& [address, id] : devices_) {
    Device& device = machine[id];
    std::optional<std::uint16_t> vendor;
    if (device.pci->id)
      vendor = device.pci->id->vendor;
    else if (const auto named = vendors_.find(address); named != vendors_.end())
      vendor = named->second;
    device.kind = kind_of(*device.pci, vendor);
    if (device.kind == DeviceKind::gpu && !device.gpu) device.gpu.emplace();
    if (device.kind == DeviceKind::nic && !device.nic) device.nic.emplace();
  }
}

// The bridge whose secondary bus this is; where none is, as for virtual functions that spill over
// to further buses, the innermost bridge whose range holds the bus, marked inferred.
void PciMachine::set_parents() {
  std::map<Bus, BusRange> behind;
  for (const auto& [address, id] : devices_) {
    const auto& pci = *machine[id].pci;
    if (!pci.secondary_bus || *pci.secondary_bus <= address.bus) continue;
    const int last = std::max(pci.subordinate_bus.value_or(0), *pci.secondary_bus);
    behind.try_emplace({address.domain, *pci.secondary_bus}, BusRange{last, id});
  }
  for (const auto& [address, id] : devices_) {
    Device& device = machine[id];
    if (device.parent) continue;
    auto next = behind.upper_bound({address.domain, address.bus});
    // Ranges nest, so few steps reach the innermost; 32 is deeper than any real tree of bridges.
    for (int step = 0; step < 32 && next != behind.begin(); ++step) {
      --next;
      if (next->first.first != address.domain) break;
      if (next->second.last < address.bus || next->second.bridge == id) continue;
      const bool exact = next->first.second == address.bus;
      device.parent = next->second.bridge;
      device.parent_source = machine[next->second.bridge].pci->secondary_bus.source();
      if (!exact) device.parent_source.trust = model::Trust::inferred;
      break;
    }
  }
}

void PciMachine::note(std::uint32_t line, std::string text) {
  machine.remark(model::RemarkLevel::note, std::move(text), at(line));
}

void PciMachine::warn(std::uint32_t line, std::string text) {
  machine.remark(model::RemarkLevel::warning, std::move(text), at(line));
}

}  // namespace railgauge::observe
