#include "present/fabric.h"

#include <fmt/format.h>

#include <utility>

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Fact;
using model::Link;
using model::LinkKind;
using model::Machine;

// Sums stay unknown as soon as one part is unknown.
Reading<BytesPerSecond> sum(const Reading<BytesPerSecond>& a, const Reading<BytesPerSecond>& b) {
  if (!a) return a;
  if (!b) return b;
  return *a + *b;
}

Fact<int> sum(const Fact<int>& a, const Fact<int>& b) {
  Fact<int> out;
  if (a && b) out.claim(*a + *b, a.source());
  return out;
}

void add_to_bond(Fabric& net, DeviceId gpu, const Link& link) {
  const auto [at, fresh] = net.to_switch.try_emplace(gpu.value, SwitchBond{link});
  if (fresh) return;
  Link& total = at->second.total;
  total.width = sum(total.width, link.width);
  total.width_possible = sum(total.width_possible, link.width_possible);
  total.as_found = sum(total.as_found, link.as_found);
  total.nominal = sum(total.nominal, link.nominal);
}

}  // namespace

Fabric fabric(const Machine& machine) {
  Fabric net;
  net.switches = machine.of_kind(DeviceKind::nvswitch);
  for (std::size_t i = 0; i < machine.links.size(); ++i) {
    const Link& link = machine.links[i];
    if (link.kind == LinkKind::socket || link.kind == LinkKind::mesh) {
      net.sockets.push_back(i);
      continue;
    }
    if (link.kind == LinkKind::pcie || link.kind == LinkKind::internal) continue;
    const DeviceKind a = machine[link.a].kind;
    const DeviceKind b = machine[link.b].kind;
    if (a == DeviceKind::gpu && b == DeviceKind::gpu)
      net.direct.push_back(i);
    else if (a == DeviceKind::nvswitch && b == DeviceKind::gpu)
      add_to_bond(net, link.b, link);
    else if (a == DeviceKind::gpu && b == DeviceKind::nvswitch)
      add_to_bond(net, link.a, link);
    else
      net.to_cpu.push_back(i);
  }
  return net;
}

std::string switches_words(const Machine& machine, const Fabric& net) {
  if (net.switches.size() != 1) return fmt::format("{} NVSwitches", net.switches.size());
  const bool is_chip = machine[net.switches.front()].address.known();
  return is_chip ? "1 NVSwitch" : "NVSwitch fabric";
}

}  // namespace railgauge::present
