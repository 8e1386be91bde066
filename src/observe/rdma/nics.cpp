#include "observe/rdma/nics.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/sysfs/pci_names.h"

namespace railgauge::observe {

using model::DeviceId;
using model::RemarkLevel;
using model::Trust;

std::optional<DeviceId> Nics::behind(const Recording& recording, const std::string& entry) {
  const std::string path = entry + "/device";
  const Entry* link = recording.find(path);
  if (link == nullptr) return std::nullopt;
  const auto here = machine_.sources.add(path, Trust::kernel);
  const auto address = link->kind == Entry::Kind::link ? last_function(link->bytes) : std::nullopt;
  if (!address) {
    const std::string why = link->kind == Entry::Kind::refused
                                ? "not read: " + std::string(link->bytes)
                                : "leads to no PCI function: " + quoted(link->bytes);
    machine_.remark(RemarkLevel::note, why, here);
    return std::nullopt;
  }
  const auto known = by_address_.find(*address);
  if (known != by_address_.end()) return known->second;
  const DeviceId id = machine_.add(model::DeviceKind::nic, here);
  machine_[id].address.claim(*address, here);
  by_address_.emplace(*address, id);
  return id;
}

model::NicPort& Nics::port(DeviceId nic, int number) {
  auto& ports = machine_[nic].nic->ports;
  const auto at = std::lower_bound(ports.begin(), ports.end(), number,
                                   [](const model::NicPort& p, int n) { return p.number < n; });
  if (at != ports.end() && at->number == number) return *at;
  model::NicPort fresh;
  fresh.number = number;
  return *ports.insert(at, std::move(fresh));
}

}  // namespace railgauge::observe
