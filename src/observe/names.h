// Product names for PCI functions that sources know only by their ids (sysfs, NCCL XML).
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::observe {

// Claims a name for every device that has an id and no name: ours first, then the pci.ids file. The
// names of a catalogue rank below what any tool said. An empty path: our own short list only.
void name_devices(model::Machine& machine, const model::Catalogue& catalogue,
                  const std::filesystem::path& pci_ids);

// What a pci.ids file was asked for, and what it knew: many machines of one kind ask for the same
// ids, and the file is read again only for new ones.
class AskedNames {
 public:
  explicit AskedNames(std::filesystem::path file) : file_(std::move(file)) {}
  // As pci_names().
  std::map<model::PciId, std::string> of(const std::set<model::PciId>& wanted);
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::set<model::PciId> asked_;
  std::map<model::PciId, std::string> known_;
};
void name_devices(model::Machine& machine, const model::Catalogue& catalogue, AskedNames& asked);

}  // namespace railgauge::observe
