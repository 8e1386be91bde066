// What the tests of settle() share: looking up remarks and links, and a server of two sockets.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/testing.h"

namespace railgauge::model {

inline bool mentions(const std::vector<std::string>& remarks, std::string_view part) {
  return std::any_of(remarks.begin(), remarks.end(),
                     [&](const std::string& r) { return contains(r, part); });
}

inline const Link* link_of(const Machine& machine, DeviceId a, DeviceId b, LinkKind kind) {
  for (const Link& link : machine.links)
    if (link.kind == kind && ((link.a == a && link.b == b) || (link.a == b && link.b == a)))
      return &link;
  return nullptr;
}

inline TestMachine two_socket_server() {
  TestMachine t;
  for (int socket = 0; socket < 2; ++socket) {
    const auto package = t.package();
    auto& cpu = *t.machine[package].cpu;
    cpu.vendor.claim("GenuineIntel", t.sysfs());
    cpu.family.claim(6, t.sysfs());
    cpu.model.claim(143, t.sysfs());
    const auto numa = t.numa(socket, package);
    for (int s = 0; s < 2; ++s) {
      const auto sw = t.pcie_switch(t.root_port(t.host_bridge(numa)));
      t.gpu(t.below(sw));
      t.nic(t.below(sw));
    }
  }
  return t;
}

}  // namespace railgauge::model
