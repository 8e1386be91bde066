#include "observe/rdma/net_places.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "observe/sysfs/attributes.h"
#include "observe/sysfs/pci_names.h"

namespace railgauge::observe {
namespace {

using model::PciAddress;
using Port = std::pair<PciAddress, int>;

constexpr int most_ports = 254;  // the specification's

std::optional<PciAddress> function_behind(const Recording& recording, const std::string& entry) {
  const Entry* link = recording.find(entry + "/device");
  if (link == nullptr || link->kind != Entry::Kind::link) return std::nullopt;
  return last_function(link->bytes);
}

// The network device that each RDMA port names in its GID table.
std::map<Port, std::string> named_by_rdma(const Recording& recording) {
  std::map<Port, std::string> out;
  const std::string directory = "sys/class/infiniband";
  for (const auto& name : recording.list(directory)) {
    const auto address = function_behind(recording, directory + "/" + name);
    if (!address) continue;
    const std::string ports = directory + "/" + name + "/ports";
    for (const auto& number_text : recording.list(ports)) {
      const auto number = count(number_text);
      const std::string rows = ports + "/" + number_text + "/gid_attrs/ndevs";
      const auto used = table_rows(recording, rows);
      if (!number || used.empty()) continue;
      if (const auto netdev = recording.text(rows + "/" + std::to_string(used.front())))
        out.emplace(Port{*address, *number}, *netdev);
    }
  }
  return out;
}

}  // namespace

NetPlaces::NetPlaces(const Recording& recording) {
  std::map<Port, std::string> owners = named_by_rdma(recording);
  std::map<std::pair<PciAddress, std::string>, int> by_name;
  for (const auto& [port, netdev] : owners)
    by_name.emplace(std::pair(port.first, netdev), port.second);
  for (const auto& netdev : netdevs_of_pci_functions(recording)) {
    const std::string path = "sys/class/net/" + netdev;
    const auto address = function_behind(recording, path);
    if (!address) continue;
    NetPlace place{*address, 1, true};
    if (const auto named = by_name.find({*address, netdev}); named != by_name.end()) {
      place.port = named->second;
    } else {
      const auto number = count(recording.text(path + "/dev_port").value_or("0"));
      place.port = number && *number < most_ports ? *number + 1 : 1;
    }
    const auto [owner, first] = owners.emplace(Port{*address, place.port}, netdev);
    place.speaks_for_port =
        owner->second == netdev || !recording.has_directory("sys/class/net/" + owner->second);
    places_.emplace(netdev, place);
  }
}

const NetPlace* NetPlaces::find(const std::string& netdev) const {
  const auto found = places_.find(netdev);
  return found == places_.end() ? nullptr : &found->second;
}

std::vector<std::string> netdevs_of_pci_functions(const Recording& recording) {
  const std::string directory = "sys/class/net";
  std::vector<std::string> names = recording.list(directory);
  std::erase_if(names, [&](const std::string& name) {
    const std::string path = directory + "/" + name;
    return !function_behind(recording, path) ||
           is_representor(recording.text(path + "/phys_port_name").value_or(""));
  });
  return names;
}

bool is_representor(std::string_view phys_port_name) {
  return contains(phys_port_name, "pf") &&
         (contains(phys_port_name, "vf") || contains(phys_port_name, "sf"));
}

std::vector<int> table_rows(const Recording& recording, const std::string& directory) {
  std::vector<int> rows;
  for (const auto& name : recording.list(directory))
    if (const auto row = count(name)) rows.push_back(*row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace railgauge::observe
