// Which port of which PCI function a network device speaks for.
//   NetPlaces places(recording);
//   if (const NetPlace* place = places.find("enp24s0np0")) nics.port(id, place->port)…
// The RDMA port that names the device in its GID table; else the port that the kernel's dev_port
// numbers from 0. Virtual devices and representors of virtual functions have no place.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/pci.h"
#include "observe/recording.h"

namespace railgauge::observe {

struct NetPlace {
  model::PciAddress address;
  int port = 1;
  // A child of the port's own network device ("ib0.8001") does not. A member of a bond does: no
  // device stands behind a bond, so a recording does not have it.
  bool speaks_for_port = true;
};

class NetPlaces {
 public:
  explicit NetPlaces(const Recording& recording);
  const NetPlace* find(const std::string& netdev) const;

 private:
  std::map<std::string, NetPlace> places_;
};

// Those of sys/class/net that lead to a PCI function and are no representors; sorted.
std::vector<std::string> netdevs_of_pci_functions(const Recording& recording);

// A switchdev driver shows a network device for each virtual function ("pf0vf3") and sub-function
// ("pf0sf8"); they are ends inside the adapter, not ports of it.
bool is_representor(std::string_view phys_port_name);

// The rows of a directory such as "…/ports/1/gids" by number, in order; other names are left out.
std::vector<int> table_rows(const Recording& recording, const std::string& directory);

}  // namespace railgauge::observe
