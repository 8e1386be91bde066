#include "observe/rdma/nics.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::Machine;
using model::NicPort;

// ARPHRD numbers of the kernel's if_arp.h.
Reading<std::string> link_layer(std::string_view text) {
  if (text == "1") return std::string("Ethernet");
  if (text == "32") return std::string("InfiniBand");
  const auto number = count(text);
  if (!number) return Reading<std::string>::not_reported("a hardware type number");
  return Reading<std::string>::failed("hardware type " + std::string(text) +
                                      " is neither Ethernet nor InfiniBand");
}

// In the words of RDMA ports, so that both can be compared.
Reading<std::string> operational_state(std::string_view text) {
  if (text == "up") return std::string("ACTIVE");
  if (text == "down" || text == "lowerlayerdown" || text == "notpresent")
    return std::string("DOWN");
  if (text == "unknown" || text == "dormant" || text == "testing")
    return Reading<std::string>::failed("the kernel says " + std::string(text));
  return Reading<std::string>::not_reported("an operational state like \"up\"");
}

// A switchdev driver shows a network device for each virtual function ("pf0vf3") and sub-function
// ("pf0sf8"); they are ends inside the adapter, not ports of it.
bool is_representor(std::string_view phys_port_name) {
  return contains(phys_port_name, "pf") &&
         (contains(phys_port_name, "vf") || contains(phys_port_name, "sf"));
}

Reading<int> mtu(std::string_view text) {
  const auto value = count(text);
  return value && *value > 0 ? value : Reading<int>::not_reported("an MTU in bytes");
}

// The RDMA port that named this network device; else the port that dev_port numbers from 0.
NicPort& port_of(const std::string& name, const Attributes& netdev, Machine& machine, Nics& nics,
                 DeviceId id) {
  for (auto& port : machine[id].nic->ports)
    if (port.netdev && *port.netdev == name) return port;
  const auto number = count(netdev.text("dev_port").value_or("0"));
  return nics.port(id, number && *number < 254 ? *number + 1 : 1);
}

void read_netdev(const std::string& name, const std::string& path, const Recording& recording,
                 Machine& machine, Nics& nics) {
  Attributes netdev(recording, machine, path);
  if (!netdev.has("device")) return;  // virtual: not an adapter
  const auto id = nics.behind(recording, path);
  if (!id) return;
  const auto here = machine.sources.add(path, model::Trust::kernel);
  const std::string text = valid_utf8(name);
  model::NicFacts& nic = *machine[*id].nic;
  if (is_representor(netdev.text("phys_port_name").value_or(""))) {
    machine[*id].attributes.push_back({"representor", text, here});
    return;
  }
  NicPort& port = port_of(text, netdev, machine, nics, *id);
  if (port.netdev && *port.netdev != text) {  // a bond took the port's name, or two share a number
    machine[*id].attributes.push_back({"netdev", text, here});
  } else {
    port.netdev.claim(text, here);
  }
  if (!nic.netdev) nic.netdev.claim(text, here);
  netdev.fill(port.mtu, "mtu", mtu);
  netdev.fill(port.rate, "speed", net_speed);
  if (!port.state) netdev.fill(port.state, "operstate", operational_state);
  if (!port.link_layer) netdev.fill(port.link_layer, "type", link_layer);
}

}  // namespace

void read_net(const Recording& recording, Machine& machine, Nics& nics) {
  const std::string directory = "sys/class/net";
  for (const auto& name : recording.list(directory)) {
    const std::string path = directory + "/" + name;
    if (recording.has_directory(path)) read_netdev(name, path, recording, machine, nics);
  }
}

}  // namespace railgauge::observe
