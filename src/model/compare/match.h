// Which device of one machine is which of the other.
//   Match match(before, after, identities);
//   match.after(gpu)         // the same device, or nothing: it is gone
// In this order: by identity (UUID, serial number, GUID, MAC), where identities can be compared;
// bridges by what is below them; by PCI address; by kind and id.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/machine.h"

namespace railgauge::model::comparing {

// What tells a device from every other of its kind in the world; the strongest first.
std::vector<std::string> identities_of(const Device& device);

class Match {
 public:
  Match(const Machine& before, const Machine& after, bool identities);

  std::optional<DeviceId> after(DeviceId before) const { return after_[before.value]; }
  std::optional<DeviceId> before(DeviceId after) const { return before_[after.value]; }
  bool by_identity(DeviceId before) const { return by_identity_[before.value]; }

 private:
  void pair_up(DeviceId before, DeviceId after);
  void match_identities(const Machine& before, const Machine& after);
  void match_bridges(const Machine& before, const Machine& after);
  void match_addresses(const Machine& before, const Machine& after);
  void match_ids(const Machine& before, const Machine& after);

  std::vector<std::optional<DeviceId>> after_;
  std::vector<std::optional<DeviceId>> before_;
  std::vector<bool> by_identity_;
};

}  // namespace railgauge::model::comparing
