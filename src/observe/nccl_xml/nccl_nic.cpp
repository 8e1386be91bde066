#include <fmt/format.h>

#include "base/strings.h"
#include "observe/nccl_xml/nccl_devices.h"
#include "observe/nccl_xml/nccl_vocabulary.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;

void read_rate(NcclContext& context, pugi::xml_node node, model::NicPort& port) {
  if (!attribute(node, "speed")) return;
  const auto megabits = number(context, node, "speed");
  if (megabits && *megabits > 0)
    return port.rate.claim(gigabits_per_second(*megabits / 1000.0), context.at(node));
  port.rate.refuse("speed is not a number of Mb/s above 0; NCCL would assume 10000",
                   context.at(node));
  if (megabits)
    context.note_lines(node,
                       "net speed is not above 0, so the rate is unknown: NCCL would assume "
                       "10000 Mb/s");
}

// Port 0 is what NCCL writes for its TCP transport, whose names are network interfaces; RDMA ports
// count from 1. Source: NCCL's transport/net_socket.cc and net_ib.cc.
void read_name(NcclContext& context, pugi::xml_node node, model::NicFacts& nic,
               model::NicPort& port, bool socket, bool first) {
  const auto name = attribute(node, "name");
  if (!name || name->empty()) return;
  if (socket) port.netdev.claim(valid_utf8(*name), context.at(node));
  if (!first) {
    if (!socket && nic.rdma_device && *nic.rdma_device != *name)
      context.note_lines(node,
                         "NCCL lists the functions of one adapter under its first one, so this "
                         "name belongs to a sibling function");
    return;
  }
  (socket ? nic.netdev : nic.rdma_device).claim(valid_utf8(*name), context.at(node));
}

void read_net(NcclContext& context, pugi::xml_node node, DeviceId id) {
  model::NicFacts& nic = *context.machine[id].nic;
  const std::size_t place = nic.ports.size();
  for (const pugi::xml_attribute a : node.attributes())
    context.keep(id, fmt::format("net{}.{}", place, valid_utf8(a.name())), a.value(), node);
  model::NicPort port;
  const auto number_in_file = number(context, node, "port");
  const bool socket = number_in_file && *number_in_file == 0;
  port.number =
      number_in_file && *number_in_file > 0 ? *number_in_file : static_cast<int>(place) + 1;
  read_rate(context, node, port);
  read_name(context, node, nic, port, socket, place == 0);
  const auto dev = number(context, node, "dev");
  const auto gdr = number(context, node, "gdr");
  if (dev && place == 0) nic.nccl_device.claim(*dev, context.at(node));
  if (gdr && place == 0) nic.gpudirect.claim(*gdr != 0, context.at(node));
  nic.ports.push_back(std::move(port));
}

}  // namespace

void read_nccl_nic(NcclContext& context, pugi::xml_node node, const NcclPlace& place,
                   std::optional<DeviceId> pci) {
  DeviceId id{};
  if (pci) {
    id = *pci;
    if (!context.machine[id].nic) context.machine[id].nic.emplace();
  } else {
    id = context.machine.add(model::DeviceKind::nic, context.at(node));
    context.machine[id].parent = place.parent;
    context.machine[id].parent_source = context.at(node);
    if (place.numa) context.machine[id].numa_node.claim(*place.numa, context.at(node));
    context.keep(id, "virtual", "a <nic> of the CPU itself, without a PCI function", node);
  }
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element || !check_vocabulary(context, child)) continue;
    if (std::string_view(child.name()) == "net") read_net(context, child, id);
  }
}

}  // namespace railgauge::observe
