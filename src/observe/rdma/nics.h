// The network adapters of a machine under construction, one Device per PCI function: the RDMA
// device and the network devices of one function meet here.
//   Nics nics(machine);
//   if (auto id = nics.behind(recording, "sys/class/net/eth0")) machine[*id].nic->netdev…
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/machine.h"
#include "observe/recording.h"

namespace railgauge::observe {

class Nics {
 public:
  explicit Nics(model::Machine& machine) : machine_(machine) {}

  // The function that the entry's `device` link leads to or through. None when there is no link (a
  // software device) or it names no PCI function, which is remarked.
  std::optional<model::DeviceId> behind(const Recording& recording, const std::string& entry);

  // The port of that number, made when it is new.
  model::NicPort& port(model::DeviceId nic, int number);

 private:
  model::Machine& machine_;
  std::map<model::PciAddress, model::DeviceId> by_address_;
};

// Fills adapters from sys/class/infiniband, then from sys/class/net.
void read_infiniband(const Recording& recording, model::Machine& machine, Nics& nics);
void read_net(const Recording& recording, model::Machine& machine, Nics& nics);

}  // namespace railgauge::observe
