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

void name_devices(Machine& machine, const Catalogue& catalogue,
                  const std::filesystem::path& pci_ids) {
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
  if (unknown.empty() || pci_ids.empty()) return;
  const auto theirs = pci_names(unknown, pci_ids);
  if (theirs.empty()) return;
  const SourceRef file = machine.sources.add(pci_ids.string(), Trust::catalogue);
  for (Device& device : machine.devices) {
    if (!nameless(device)) continue;
    if (const auto found = theirs.find(*device.pci->id); found != theirs.end())
      device.name.claim(found->second, file);
  }
}

}  // namespace railgauge::observe
