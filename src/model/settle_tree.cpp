// Parents that follow from PCI bus numbers alone.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "base/strings.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

using Bus = std::pair<std::uint32_t, int>;  // domain, bus

Bus bus_of(const PciAddress& address) { return {address.domain, address.bus}; }

// "pci0000:15" names a root bus.
std::optional<Bus> parse_root_bus(std::string_view name) {
  if (!starts_with_nocase(name, "pci")) return std::nullopt;
  const auto parts = split(name.substr(3), ':');
  if (parts.size() != 2) return std::nullopt;
  const auto domain = parse_hex(parts[0]);
  const auto bus = parse_hex(parts[1]);
  if (!domain || !bus || *domain > 0xffffffff || *bus > 0xff) return std::nullopt;
  return Bus{static_cast<std::uint32_t>(*domain), static_cast<int>(*bus)};
}

std::map<Bus, DeviceId> known_host_bridges(const Machine& machine) {
  std::map<Bus, DeviceId> out;
  for (const DeviceId id : machine.of_kind(DeviceKind::host_bridge)) {
    const Device& device = machine[id];
    std::optional<Bus> bus;
    if (device.name) bus = parse_root_bus(*device.name);
    if (!bus && device.address) bus = bus_of(*device.address);
    if (bus) out.try_emplace(*bus, id);
  }
  return out;
}

// Bridges say which bus lies behind them, so everything on that bus is their child.
void hang_below_bridges(Machine& machine) {
  std::map<Bus, DeviceId> behind;
  std::map<PciAddress, DeviceId> at;
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!device.address) continue;
    at.try_emplace(*device.address, id);
    if (is_pcie_bridge(device.kind) && device.pci && device.pci->secondary_bus &&
        *device.pci->secondary_bus > 0)
      behind.try_emplace({device.address->domain, *device.pci->secondary_bus}, id);
  }
  std::vector<DeviceId> virtual_functions;
  for (const DeviceId id : machine.all()) {
    Device& device = machine[id];
    if (device.parent || !device.address || device.kind == DeviceKind::host_bridge) continue;
    if (device.pci && device.pci->physical_function) virtual_functions.push_back(id);
    const auto found = behind.find(bus_of(*device.address));
    if (found == behind.end() || found->second == id) continue;
    device.parent = found->second;
    device.parent_source = machine[found->second].pci->secondary_bus.source();
  }
  // Virtual functions may spill over to buses that no bridge names; they sit where their card sits.
  for (const DeviceId id : virtual_functions) {
    Device& device = machine[id];
    const auto found = at.find(*device.pci->physical_function);
    if (device.parent || found == at.end() || found->second == id) continue;
    device.parent = machine[found->second].parent;
    device.parent_source = device.pci->physical_function.source();
  }
}

// A bus with a root port on it, or with a bridge that no other bridge leads to, is a root bus.
std::map<Bus, SourceRef> root_buses(const Machine& machine) {
  std::map<Bus, SourceRef> out;
  for (const Device& device : machine.devices) {
    if (device.parent || !device.address) continue;
    const bool root_port =
        device.kind == DeviceKind::root_port ||
        (device.pci && device.pci->port && *device.pci->port == PciPort::root_port);
    const bool top_bridge =
        device.kind == DeviceKind::pcie_bridge && device.pci && device.pci->secondary_bus.known();
    if (root_port || top_bridge) out.try_emplace(bus_of(*device.address), device.address.source());
  }
  return out;
}

}  // namespace

void settle_pcie_tree(Machine& machine) {
  hang_below_bridges(machine);
  auto bridges = known_host_bridges(machine);
  for (const auto& [bus, source] : root_buses(machine)) {
    if (bridges.contains(bus)) continue;
    const DeviceId id = machine.add(DeviceKind::host_bridge, source);
    machine[id].name.claim(fmt::format("pci{:04x}:{:02x}", bus.first, bus.second), source);
    bridges.emplace(bus, id);
  }
  for (const DeviceId id : machine.all()) {
    Device& device = machine[id];
    if (device.parent || !device.address || device.kind == DeviceKind::host_bridge) continue;
    const auto found = bridges.find(bus_of(*device.address));
    if (found == bridges.end()) continue;
    device.parent = found->second;
    device.parent_source = device.address.source();
  }
}

void cut_parent_cycles(Machine& machine) {
  enum class State : std::uint8_t { untouched, on_way, fine };
  std::vector<State> state(machine.devices.size(), State::untouched);
  for (std::uint32_t start = 0; start < machine.devices.size(); ++start) {
    std::vector<std::uint32_t> way;
    std::uint32_t at = start;
    while (state[at] == State::untouched) {
      state[at] = State::on_way;
      way.push_back(at);
      Device& device = machine.devices[at];
      if (!device.parent) break;
      const std::uint32_t up = device.parent->value;
      if (up >= machine.devices.size() || state[up] == State::on_way) {
        const std::string name =
            device.address ? device.address->text() : fmt::format("{} #{}", text(device.kind), at);
        remark_once(machine, RemarkLevel::error,
                    "the parent of " + name +
                        " leads back to itself or to nothing; it is shown without a parent",
                    device.parent_source);
        device.parent.reset();
        break;
      }
      at = up;
    }
    for (const std::uint32_t visited : way) state[visited] = State::fine;
  }
}

}  // namespace railgauge::model
