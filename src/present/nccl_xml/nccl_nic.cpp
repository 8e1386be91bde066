#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/strings.h"
#include "present/nccl_xml/nccl_elements.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Machine;
using model::NicPort;

// In NCCL's order; those with no fact of ours come from a topology file or not at all.
constexpr std::array<const char*, 15> net_attributes{"name", "dev",     "speed", "port", "latency",
                                                     "guid", "maxconn", "gdr",   "coll", "keep",
                                                     "net",  "gin",     "rma",   "rail", "plane"};

// RDMA adapters are what NCCL uses; network interfaces only where there is no adapter at all.
bool has_rdma(const Machine& machine) {
  return std::any_of(machine.devices.begin(), machine.devices.end(),
                     [](const Device& d) { return d.nic && d.nic->rdma_device; });
}

bool used_by_nccl(const Device& device, bool rdma_machine) {
  return device.nic && (device.nic->rdma_device || (!rdma_machine && device.nic->netdev));
}

// The place among the adapters NCCL would use, in the machine's order.
int place_of(const Machine& machine, DeviceId id, bool rdma_machine) {
  int place = 0;
  for (const DeviceId other : machine.of_kind(DeviceKind::nic))
    if (other < id && used_by_nccl(machine[other], rdma_machine)) ++place;
  return place;
}

// "a088:c203:00ab:1234", as the kernel writes a GUID, becomes 0xa088c20300ab1234.
std::optional<std::string> guid_text(const model::Fact<std::string>& guid) {
  if (!guid) return std::nullopt;
  std::string digits;
  for (const char c : lower(*guid))
    if (c != ':') digits += c;
  if (digits.size() != 16 || !parse_hex(digits)) return std::nullopt;
  return "0x" + digits;
}

std::optional<std::string> fact_of(const Machine& machine, DeviceId id, const NicPort* port,
                                   std::string_view name, bool rdma_machine) {
  const model::NicFacts& nic = *machine[id].nic;
  if (name == "name" && nic.rdma_device) return *nic.rdma_device;
  if (name == "name" && nic.netdev) return *nic.netdev;
  if (name == "dev")
    return fmt::format("{}", nic.nccl_device.value_or(place_of(machine, id, rdma_machine)));
  if (name == "speed" && port && port->rate)
    return fmt::format("{}", std::llround(port->rate->value * 8 / 1e6));
  if (name == "port") return fmt::format("{}", nic.rdma_device ? (port ? port->number : 1) : 0);
  if (name == "guid") return guid_text(nic.guid);
  if (name == "gdr" && nic.gpudirect) return *nic.gpudirect ? "1" : "0";
  return std::nullopt;
}

XmlAttributes attributes_of(const Machine& machine, DeviceId id, std::size_t place,
                            bool rdma_machine) {
  const Device& device = machine[id];
  const bool in_file = std::any_of(device.attributes.begin(), device.attributes.end(),
                                   [&](const model::Attribute& a) {
                                     return a.key.starts_with(fmt::format("nccl.net{}.", place));
                                   });
  const NicPort* port = place < device.nic->ports.size() ? &device.nic->ports[place] : nullptr;
  XmlAttributes out;
  for (const char* name : net_attributes) {
    const std::string* text = stated(device, fmt::format("net{}.{}", place, name));
    const bool measured = std::string_view(name) == "speed" && port && port->rate;
    if (text && !measured) {
      out.emplace_back(name, *text);
      continue;
    }
    if (in_file && !text) continue;  // the file left it out on purpose
    if (const auto fact = fact_of(machine, id, port, name, rdma_machine))
      out.emplace_back(name, *fact);
  }
  return out;
}

bool is_down(const NicPort& port) { return port.state && *port.state == "DOWN"; }

}  // namespace

void write_nic(const NcclWriter& writer, DeviceId id) {
  const Device& device = writer.machine[id];
  const bool rdma_machine = has_rdma(writer.machine);
  const bool from_file = stated(device, "net0.name") != nullptr;
  if (!device.nic ||
      (!from_file && !used_by_nccl(device, rdma_machine) && !stated(device, "virtual")))
    return;
  writer.out.open("nic", {});
  const std::size_t count = std::max<std::size_t>(device.nic->ports.size(), 1);
  for (std::size_t place = 0; place < count; ++place) {
    if (place < device.nic->ports.size() && is_down(device.nic->ports[place])) continue;
    const XmlAttributes attributes = attributes_of(writer.machine, id, place, rdma_machine);
    if (!attributes.empty()) writer.out.single("net", attributes);
  }
  writer.out.close();
}

}  // namespace railgauge::present
