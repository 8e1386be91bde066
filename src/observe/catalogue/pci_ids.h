// Names of PCI functions from the system's pci.ids, and from our catalogue before it.
//   auto names = pci_names({{0x15b3, 0x1021}}, "/usr/share/misc/pci.ids");
//   names[{0x15b3, 0x1021}]     // "Mellanox Technologies MT2910 Family [ConnectX-7]"
// The file (1.4 MB) is read once for all wanted ids and not kept.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/reading.h"
#include "model/catalogue.h"

namespace railgauge::observe {

// "vendor device"; ids of a known vendor whose device is not listed are left out, as are all when
// the file cannot be read. Linear in the file; at most 16 MiB of it.
std::map<model::PciId, std::string> pci_names(const std::set<model::PciId>& wanted,
                                              const std::filesystem::path& file);
std::map<model::PciId, std::string> pci_names_in(const std::set<model::PciId>& wanted,
                                                 std::string_view text);

// The first of the places where distributions put pci.ids that exists, else the first of them.
std::filesystem::path system_pci_ids(const std::filesystem::path& root = "/");

// The catalogue's short name, else that of the file; not_reported says that neither knows it.
Reading<std::string> pci_name(model::PciId id, const model::Catalogue& catalogue,
                              const std::filesystem::path& file);

}  // namespace railgauge::observe
