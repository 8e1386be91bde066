#include "observe/names.h"

#include <algorithm>
#include <map>
#include <set>

#include "observe/catalogue/pci_ids.h"

namespace railgauge::observe {

using namespace model;

namespace {

std::map<PciId, std::string> own_names(const Catalogue& catalogue) {
  std::map<PciId, std::string> names;
  for (const PciName& row : catalogue.pci_names) names.emplace(row.id, row.name);
  for (const GpuBoard& board : catalogue.boards)
    for (const PciId& id : board.pci_ids) names.emplace(id, board.name);
  return names;
}

bool nameless(const Device& device) { return !device.name && device.pci && device.pci->id; }

}  // namespace

std::map<PciId, std::string> AskedNames::of(const std::set<PciId>& wanted) {
  std::set<PciId> added;
  for (const PciId& id : wanted)
    if (asked_.insert(id).second) added.insert(id);
  if (!added.empty()) known_.merge(pci_names(added, file_));
  std::map<PciId, std::string> out;
  for (const PciId& id : wanted)
    if (const auto found = known_.find(id); found != known_.end()) out.insert(*found);
  return out;
}

void name_devices(Machine& machine, const Catalogue& catalogue,
                  const std::filesystem::path& pci_ids) {
  AskedNames asked(pci_ids);
  name_devices(machine, catalogue, asked);
}

void name_devices(Machine& machine, const Catalogue& catalogue, AskedNames& asked) {
  const auto own = own_names(catalogue);
  std::set<PciId> unknown;
  const SourceRef ours = machine.sources.add("data/pci_names.yaml", Trust::catalogue);
  for (Device& device : machine.devices) {
    if (!nameless(device)) continue;
    const auto found = own.find(*device.pci->id);
    if (found == own.end())
      unknown.insert(*device.pci->id);
    else
      device.name.claim(found->second, ours);
  }
  if (unknown.empty() || asked.file().empty()) return;
  const auto theirs = asked.of(unknown);
  if (theirs.empty()) return;
  const SourceRef file = machine.sources.add(asked.file().string(), Trust::catalogue);
  for (Device& device : machine.devices) {
    if (!nameless(device)) continue;
    if (const auto found = theirs.find(*device.pci->id); found != theirs.end())
      device.name.claim(found->second, file);
  }
}

}  // namespace railgauge::observe
