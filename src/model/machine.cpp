#include "model/machine.h"

#include <algorithm>

#include "base/strings.h"

namespace railgauge::model {

std::string_view text(LinkKind kind) {
  switch (kind) {
    case LinkKind::pcie: return "pcie";
    case LinkKind::nvlink: return "nvlink";
    case LinkKind::xgmi: return "xgmi";
    case LinkKind::c2c: return "c2c";
    case LinkKind::socket: return "socket";
    case LinkKind::mesh: return "mesh";
    case LinkKind::internal: return "internal";
  }
  return "internal";
}

DeviceId Machine::add(DeviceKind kind, SourceRef seen_in) {
  Device device;
  device.kind = kind;
  device.seen_in = seen_in;
  if (kind == DeviceKind::gpu) device.gpu.emplace();
  if (kind == DeviceKind::nic) device.nic.emplace();
  if (kind == DeviceKind::package || kind == DeviceKind::numa_node) device.cpu.emplace();
  devices.push_back(std::move(device));
  return DeviceId{static_cast<std::uint32_t>(devices.size() - 1)};
}

const Pair* Machine::find_pair(DeviceId a, DeviceId b) const {
  if (b < a) std::swap(a, b);
  const auto found =
      std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.a == a && p.b == b; });
  return found == pairs.end() ? nullptr : &*found;
}

Pair& Machine::pair(DeviceId a, DeviceId b) {
  if (b < a) std::swap(a, b);
  if (const Pair* found = find_pair(a, b))
    return pairs[static_cast<std::size_t>(found - pairs.data())];
  pairs.emplace_back();
  pairs.back().a = a;
  pairs.back().b = b;
  return pairs.back();
}

void Machine::remark(RemarkLevel level, std::string text, SourceRef source) {
  remarks.push_back({level, std::move(text), source});
}

std::vector<DeviceId> Machine::all() const {
  std::vector<DeviceId> out;
  out.reserve(devices.size());
  for (std::uint32_t i = 0; i < devices.size(); ++i) out.push_back({i});
  return out;
}

std::vector<DeviceId> Machine::of_kind(DeviceKind kind) const {
  std::vector<DeviceId> out;
  for (std::uint32_t i = 0; i < devices.size(); ++i)
    if (devices[i].kind == kind) out.push_back({i});
  return out;
}

std::optional<DeviceId> Machine::at(const PciAddress& address) const {
  for (std::uint32_t i = 0; i < devices.size(); ++i)
    if (devices[i].address && *devices[i].address == address) return DeviceId{i};
  return std::nullopt;
}

std::optional<DeviceId> Machine::indexed(DeviceKind kind, int index) const {
  for (std::uint32_t i = 0; i < devices.size(); ++i)
    if (devices[i].kind == kind && devices[i].index && *devices[i].index == index)
      return DeviceId{i};
  return std::nullopt;
}

std::optional<DeviceId> Machine::find(std::string_view what) const {
  what = trim(what);
  for (std::uint32_t i = 0; i < devices.size(); ++i)
    if (!devices[i].id.empty() && equal_nocase(devices[i].id, what)) return DeviceId{i};
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    const auto& nic = devices[i].nic;
    if (!nic) continue;
    if (nic->rdma_device && equal_nocase(*nic->rdma_device, what)) return DeviceId{i};
    if (nic->netdev && equal_nocase(*nic->netdev, what)) return DeviceId{i};
    for (const auto& port : nic->ports)
      if (port.netdev && equal_nocase(*port.netdev, what)) return DeviceId{i};
  }
  if (const auto address = PciAddress::parse(what); address && contains(what, ":"))
    return at(*address);
  for (const auto& [prefix, kind] : {std::pair{"gpu", DeviceKind::gpu},
                                     {"nic", DeviceKind::nic},
                                     {"numa", DeviceKind::numa_node}}) {
    if (!starts_with_nocase(what, prefix)) continue;
    if (const auto index = parse_int(what.substr(std::string_view(prefix).size()));
        index && *index < 1 << 20)
      return indexed(kind, static_cast<int>(*index));
  }
  return std::nullopt;
}

std::vector<DeviceId> ancestry(const Machine& machine, DeviceId id) {
  std::vector<DeviceId> out{id};
  while (const auto parent = machine[out.back()].parent) {
    if (std::find(out.begin(), out.end(), *parent) != out.end()) break;
    out.push_back(*parent);
  }
  return out;
}

}  // namespace railgauge::model
