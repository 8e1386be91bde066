#include <array>

#include "observe/ethtool/counter_names.h"
#include "observe/rdma/net_places.h"
#include "observe/rdma/nics.h"
#include "observe/rdma/port_read.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"

namespace railgauge::observe {
namespace {

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

Reading<int> mtu(std::string_view text) {
  const auto value = count(text);
  return value && *value > 0 ? value : Reading<int>::not_reported("an MTU in bytes");
}

Reading<std::string> operstate(std::string_view text) {
  static constexpr std::array words{"up",      "down",    "lowerlayerdown", "notpresent",
                                    "dormant", "testing", "unknown"};
  for (const char* word : words)
    if (text == word) return std::string(text);
  return Reading<std::string>::not_reported("an operational state like \"up\"");
}

// Six bytes, of IPoIB twenty. All zero is a device without an address.
Reading<std::string> mac(std::string_view text) {
  const bool hex = text.find_first_not_of("0123456789abcdefABCDEF:") == std::string_view::npos;
  if (!hex || text.size() < 17 || text.size() > 128)
    return Reading<std::string>::not_reported("an address like 02:00:00:00:00:01");
  if (text.find_first_not_of("0:") == std::string_view::npos)
    return Reading<std::string>::failed("the address is all zero");
  return lower(text);
}

void read_port_facts(Attributes& netdev, NicPort& port) {
  netdev.fill(port.mtu, "mtu", mtu);
  netdev.fill(port.mac, "address", mac);
  netdev.fill(port.netdev_state, "operstate", operstate);
  netdev.fill(port.rate, "speed", net_speed);
  if (!port.state) netdev.fill(port.state, "operstate", operational_state);
  if (!port.link_layer) netdev.fill(port.link_layer, "type", link_layer);
}

class NetReader {
 public:
  NetReader(const Recording& recording, Machine& machine, Nics& nics)
      : recording_(recording), machine_(machine), nics_(nics), places_(recording) {}

  void read(const std::string& name) {
    const std::string path = "sys/class/net/" + name;
    Attributes netdev(recording_, machine_, path);
    if (!netdev.has("device")) return;  // virtual: not an adapter
    const auto id = nics_.behind(recording_, path);
    if (!id) return;
    const auto here = machine_.sources.add(path, model::Trust::kernel);
    const std::string text = valid_utf8(name);
    const NetPlace* place = places_.find(name);
    if (place == nullptr) {
      machine_[*id].attributes.push_back({"representor", text, here});
      return;
    }
    NicPort& port = nics_.port(*id, place->port);
    if (!port.netdev || *port.netdev == text)
      port.netdev.claim(text, here);
    else
      machine_[*id].attributes.push_back({"netdev", text, here});
    if (!place->speaks_for_port) return;
    model::NicFacts& nic = *machine_[*id].nic;
    if (!nic.netdev) nic.netdev.claim(text, here);
    read_port_facts(netdev, port);
    read_counter_files(recording_, path + "/statistics", names_, text, machine_, machine_[*id],
                       port);
  }

 private:
  const Recording& recording_;
  Machine& machine_;
  Nics& nics_;
  const NetPlaces places_;
  const CounterNames names_ = CounterNames::of_netdev();
};

}  // namespace

void read_net(const Recording& recording, Machine& machine, Nics& nics) {
  const std::string directory = "sys/class/net";
  NetReader reader(recording, machine, nics);
  for (const auto& name : recording.list(directory))
    if (recording.has_directory(directory + "/" + name)) reader.read(name);
}

}  // namespace railgauge::observe
