#include "observe/join/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "observe/join/match.h"
#include "observe/join/merge.h"
#include "observe/join/once.h"

namespace railgauge::observe {
namespace {

using namespace model;

// Views that know PCI addresses come first, so that those without can be laid over them.
int rank(const Machine& part) {
  int addressed = 0;
  int trust = 0;
  for (const Device& device : part.devices) {
    addressed |= device.address.known() ? 1 : 0;
    trust = std::max(trust, static_cast<int>(device.seen_in.trust));
  }
  return addressed * 100 + trust;
}

Moved renumber_sources(Machine& machine, const Machine& part) {
  Moved moved;
  for (std::uint32_t i = 0; i < part.sources.size(); ++i)
    moved.sources.push_back(
        i == 0 ? 0
               : machine.sources.add(part.sources.name({i, 0, Trust::guess}), Trust::guess).index);
  return moved;
}

void settle_kind(Machine& machine, DeviceId id, const Device& said, const Moved& moved) {
  Device& device = machine[id];
  if (const auto kind = finer_kind(device.kind, said.kind)) {
    device.kind = *kind;
    return;
  }
  machine.remark(RemarkLevel::warning,
                 fmt::format("{} is a {} by {} and a {} by {}",
                             device.address ? device.address->text() : "a device",
                             text(device.kind), machine.sources.text(device.seen_in),
                             text(said.kind), machine.sources.text(moved(said.seen_in))),
                 moved(said.seen_in));
  if (said.seen_in.trust > device.seen_in.trust) device.kind = said.kind;
}

// Without addresses or names on one side, that GPU3 is the fourth GPU by address is an assumption.
void say_joined_by_index(Machine& machine, const Machine& part, const Matcher& matcher) {
  for (const DeviceKind kind : {DeviceKind::gpu, DeviceKind::nic}) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < part.devices.size(); ++i)
      count += part.devices[i].kind == kind && matcher.matched(i).by_index;
    if (count == 0) continue;
    machine.remark(
        RemarkLevel::note,
        fmt::format("{}: {} devices of kind {} are joined with the other sources by index, "
                    "which is inferred",
                    part.name, count, text(kind)),
        SourceRef{});
  }
}

void take_devices(Machine& machine, const Machine& part, Moved& moved) {
  const Matcher matcher(machine, part);
  for (const auto& mismatch : matcher.mismatches()) {
    machine.remark(
        RemarkLevel::warning,
        fmt::format("{} shows {} devices of kind {} and the sources before it {}: they are "
                    "paired in order, so which one is missing is not known",
                    part.name, mismatch.in_part, text(mismatch.kind), mismatch.in_machine),
        SourceRef{});
  }
  say_joined_by_index(machine, part, matcher);
  for (std::size_t i = 0; i < part.devices.size(); ++i) {
    const Device& device = part.devices[i];
    const Match& match = matcher.matched(i);
    const DeviceId id =
        match.device ? *match.device : machine.add(device.kind, moved(device.seen_in));
    moved.devices.push_back(id);
    if (match.device) settle_kind(machine, id, device, moved);
    if (match.by_index && device.index)
      machine[id].index.claim(
          *device.index, machine.sources.add("joined by index with " + part.name, Trust::inferred));
    merge_device(machine[id], device, moved);
  }
}

bool is_ancestor(const Machine& machine, DeviceId ancestor, DeviceId of) {
  const auto chain = ancestry(machine, of);
  return std::find(chain.begin(), chain.end(), ancestor) != chain.end();
}

std::string label(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  if (device.address) return device.address->text();
  if (device.name) return *device.name;
  return fmt::format("{}{}", text(device.kind),
                     device.index ? " " + std::to_string(*device.index) : "");
}

// A parent that is further up the same branch says less, not something else.
void take_parent(Machine& machine, DeviceId child, DeviceId parent, SourceRef source) {
  if (child == parent) return;
  Device& device = machine[child];
  if (!device.parent) {
    if (is_ancestor(machine, child, parent)) return;
    device.parent = parent;
    device.parent_source = source;
    return;
  }
  if (is_ancestor(machine, parent, *device.parent)) return;
  if (is_ancestor(machine, *device.parent, parent)) {
    if (is_ancestor(machine, child, parent)) return;
    device.parent = parent;
    device.parent_source = source;
    return;
  }
  // A NUMA node is where a device belongs, not a step of the PCIe tree: settle() compares those.
  if (machine[parent].kind == DeviceKind::numa_node || machine[parent].kind == DeviceKind::package)
    return;
  machine.remark(
      RemarkLevel::warning,
      fmt::format("{} sits below {} by {} and below {} by {}", label(machine, child),
                  label(machine, *device.parent), machine.sources.text(device.parent_source),
                  label(machine, parent), machine.sources.text(source)),
      source);
  if (source.trust <= device.parent_source.trust || is_ancestor(machine, child, parent)) return;
  device.parent = parent;
  device.parent_source = source;
}

void take_part(Machine& machine, const Machine& part) {
  Moved moved = renumber_sources(machine, part);
  if (machine.name.empty()) machine.name = part.name;
  machine.nvlink_hidden = machine.nvlink_hidden || part.nvlink_hidden;
  if (!machine.taken) machine.taken = part.taken;
  merge_host(machine, part, moved);
  merge_lists(machine, part, moved);
  take_devices(machine, part, moved);
  for (std::size_t i = 0; i < part.devices.size(); ++i)
    if (const auto parent = part.devices[i].parent)
      take_parent(machine, moved.devices[i], moved(*parent), moved(part.devices[i].parent_source));
  for (const Link& link : part.links) merge_link(machine, link, moved);
  PairIndex pairs(machine);
  for (const Pair& pair : part.pairs) pairs.merge(machine, pair, moved);
  for (const Remark& remark : part.remarks)
    machine.remark(remark.level, remark.text, moved(remark.source));
}

// Bridges that only a description file named and that ended up with nothing below them: their
// devices hang where the kernel says, and an empty bridge in the picture would be a fiction.
void drop_empty_described_bridges(Machine& machine, std::size_t devices_before) {
  std::vector<bool> used(machine.devices.size());
  for (const Device& device : machine.devices)
    if (device.parent) used[device.parent->value] = true;
  for (const Link& link : machine.links) used[link.a.value] = used[link.b.value] = true;
  std::vector<DeviceId> moved(machine.devices.size());
  std::vector<Device> kept;
  const auto to_drop = [&](std::uint32_t i) {
    const Device& device = machine.devices[i];
    return i >= devices_before && !used[i] && is_pcie_bridge(device.kind) &&
           device.seen_in.trust <= Trust::file;
  };
  std::uint32_t first = static_cast<std::uint32_t>(devices_before);
  while (first < machine.devices.size() && !to_drop(first)) ++first;
  if (first == machine.devices.size()) return;
  for (std::uint32_t i = 0; i < machine.devices.size(); ++i) {
    if (to_drop(i)) continue;
    Device& device = machine.devices[i];
    moved[i] = {static_cast<std::uint32_t>(kept.size())};
    kept.push_back(std::move(device));
  }
  machine.devices = std::move(kept);
  for (Device& device : machine.devices)
    if (device.parent) device.parent = moved[device.parent->value];
  for (Link& link : machine.links) link.a = moved[link.a.value], link.b = moved[link.b.value];
  for (Pair& pair : machine.pairs) {
    pair.a = moved[pair.a.value];
    pair.b = moved[pair.b.value];
  }
}

std::vector<std::size_t> by_rank(const std::vector<Machine>& parts) {
  std::vector<int> ranks;
  for (const Machine& part : parts) ranks.push_back(rank(part));
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] > ranks[b]; });
  return order;
}

void take_further_part(Machine& machine, const Machine& part) {
  const std::size_t before = machine.devices.size();
  take_part(machine, part);
  if (before > 0) drop_empty_described_bridges(machine, before);
}

// What taking the part into an empty machine would make of it.
Machine take_whole(Machine&& part) {
  Machine machine = std::move(part);
  std::vector<std::optional<DeviceId>> parents;
  for (Device& device : machine.devices) {
    parents.push_back(std::exchange(device.parent, std::nullopt));
    add_parts_of_kind(device);
    device.id.clear();
  }
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    const SourceRef source = std::exchange(machine.devices[i].parent_source, {});
    if (parents[i]) take_parent(machine, {i}, *parents[i], source);
  }
  return machine;
}

}  // namespace

Machine join(const std::vector<Machine>& parts) {
  Machine machine;
  for (const std::size_t i : by_rank(parts)) take_further_part(machine, parts[i]);
  return machine;
}

Machine join(std::vector<Machine>&& parts) {
  const std::vector<std::size_t> order = by_rank(parts);
  if (order.empty() || !says_everything_once(parts[order.front()]))
    return join(std::as_const(parts));
  Machine machine = take_whole(std::move(parts[order.front()]));
  for (const std::size_t i : order)
    if (i != order.front()) take_further_part(machine, parts[i]);
  return machine;
}

}  // namespace railgauge::observe
