#include "model/compare/match.h"

#include <algorithm>

namespace railgauge::model::comparing {
namespace {

// Identities that two devices of one machine share name neither of them.
std::map<std::string, DeviceId> unique_identities(const Machine& machine) {
  std::map<std::string, std::vector<DeviceId>> all;
  for (const DeviceId id : machine.all())
    for (std::string& key : identities_of(machine[id])) all[std::move(key)].push_back(id);
  std::map<std::string, DeviceId> out;
  for (const auto& [key, owners] : all)
    if (owners.size() == 1) out.emplace(key, owners.front());
  return out;
}

bool same_role(const Device& a, const Device& b) {
  return a.kind == b.kind || (is_pcie_bridge(a.kind) && is_pcie_bridge(b.kind));
}

bool is_zero(const std::string& text) { return text.find_first_not_of("0:.- ") == text.npos; }

void add(std::vector<std::string>& out, const char* what, const Fact<std::string>& fact) {
  if (fact && !fact->empty() && !is_zero(*fact)) out.push_back(what + *fact);
}

}  // namespace

std::vector<std::string> identities_of(const Device& device) {
  std::vector<std::string> out;
  if (device.gpu) {
    add(out, "uuid ", device.gpu->uuid);
    add(out, "serial ", device.gpu->serial);
  }
  if (device.nic) {
    add(out, "guid ", device.nic->guid);
    for (const NicPort& port : device.nic->ports) {
      add(out, "guid ", port.guid);
      add(out, "mac ", port.mac);
    }
  }
  return out;
}

Match::Match(const Machine& before, const Machine& after, bool identities)
    : after_(before.devices.size()),
      before_(after.devices.size()),
      by_identity_(before.devices.size()) {
  if (identities) {
    match_identities(before, after);
    match_bridges(before, after);
  }
  match_addresses(before, after);
  match_ids(before, after);
}

void Match::pair_up(DeviceId before, DeviceId after) {
  after_[before.value] = after;
  before_[after.value] = before;
}

void Match::match_identities(const Machine& before, const Machine& after) {
  const auto there = unique_identities(after);
  for (const auto& [key, id] : unique_identities(before)) {
    const auto found = there.find(key);
    if (found == there.end() || after_[id.value] || before_[found->second.value]) continue;
    if (before[id].kind != after[found->second].kind) continue;
    pair_up(id, found->second);
    by_identity_[id.value] = true;
  }
}

// Where bus numbers moved, the bridges above a device moved with it. Only above devices whose
// address changed: elsewhere addresses tell more.
void Match::match_bridges(const Machine& before, const Machine& after) {
  for (const DeviceId id : before.all()) {
    if (!by_identity_[id.value]) continue;
    DeviceId below_before = id;
    DeviceId below_after = *after_[id.value];
    if (before[below_before].address.value_or({}) == after[below_after].address.value_or({}))
      continue;
    for (std::size_t steps = 0; steps < before.devices.size(); ++steps) {
      const auto up_before = before[below_before].parent;
      const auto up_after = after[below_after].parent;
      if (!up_before || !up_after || after_[up_before->value] || before_[up_after->value]) break;
      if (!is_pcie_bridge(before[*up_before].kind)) break;
      if (!same_role(before[*up_before], after[*up_after])) break;
      // A bridge that is still where it was did not move along: the device changed its slot.
      if (before[*up_before].address && after.at(*before[*up_before].address)) break;
      pair_up(*up_before, *up_after);
      below_before = *up_before;
      below_after = *up_after;
    }
  }
}

void Match::match_addresses(const Machine& before, const Machine& after) {
  std::map<PciAddress, DeviceId> there;
  for (const DeviceId id : after.all())
    if (after[id].address && !before_[id.value]) there.emplace(*after[id].address, id);
  for (const DeviceId id : before.all()) {
    if (after_[id.value] || !before[id].address) continue;
    const auto found = there.find(*before[id].address);
    if (found != there.end() && !before_[found->second.value] &&
        same_role(before[id], after[found->second]))
      pair_up(id, found->second);
  }
}

void Match::match_ids(const Machine& before, const Machine& after) {
  std::map<std::string, DeviceId> there;
  for (const DeviceId id : after.all())
    if (!before_[id.value]) there.emplace(after[id].id, id);
  for (const DeviceId id : before.all()) {
    if (after_[id.value]) continue;
    const auto found = there.find(before[id].id);
    if (found == there.end() || before_[found->second.value]) continue;
    const Device& a = before[id];
    const Device& b = after[found->second];
    // Two addresses under one number are two devices, unless the number is all there is.
    if (a.kind == b.kind && !(a.address && b.address)) pair_up(id, found->second);
  }
}

}  // namespace railgauge::model::comparing
