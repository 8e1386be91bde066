#include "observe/rdma/nics.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::Machine;
using model::NicPort;
using model::RemarkLevel;

// The specification numbers the ports of one adapter from 1 to 254.
constexpr int max_port = 254;

void read_port(Attributes& port, NicPort& facts, model::Device& device) {
  port.fill(facts.state, "state", port_state);
  port.fill(facts.link_layer, "link_layer", plain_text);
  const std::string state = facts.state.value_or("ACTIVE");
  port.fill(facts.rate, "rate", [&](std::string_view text) -> Reading<BytesPerSecond> {
    // A port that is down keeps saying "2.5 Gb/sec (1X SDR)" or what it had before.
    if (state == "DOWN")
      return Reading<BytesPerSecond>::failed("the port is DOWN, its rate " + quoted(text) +
                                             " is not negotiated");
    return port_rate(text);
  });
  port.keep(device, "phys_state", "port" + std::to_string(facts.number) + ".phys_state");
}

void read_ports(const std::string& path, const Recording& recording, Machine& machine, Nics& nics,
                DeviceId id) {
  for (const auto& name : recording.list(path + "/ports")) {
    const auto number = count(name);
    const std::string port_path = path + "/ports/" + name;
    if (!number || *number < 1 || *number > max_port) {
      machine.remark(RemarkLevel::warning, "expected a port from 1 to 254, found " + quoted(name),
                     machine.sources.add(port_path, model::Trust::kernel));
      continue;
    }
    Attributes port(recording, machine, port_path);
    NicPort& facts = nics.port(id, *number);
    read_port(port, facts, machine[id]);
    const auto rows = recording.list(port_path + "/gid_attrs/ndevs");
    if (!rows.empty()) port.fill(facts.netdev, "gid_attrs/ndevs/" + rows.front(), plain_text);
  }
}

void read_adapter(const std::string& name, const std::string& path, const Recording& recording,
                  Machine& machine, Nics& nics) {
  const auto here = machine.sources.add(path, model::Trust::kernel);
  const auto id = nics.behind(recording, path);
  if (!id) {
    if (recording.find(path + "/device") == nullptr)
      machine.remark(RemarkLevel::note,
                     quoted(name) + " is RDMA in software: no device stands behind it", here);
    return;
  }
  model::Device& device = machine[*id];
  if (device.nic->rdma_device) {  // a sub-function, or a bond beside its member
    machine.remark(RemarkLevel::note,
                   quoted(name) + " shares PCI function " + device.address->text() + " with " +
                       *device.nic->rdma_device + "; only the first is described",
                   here);
    device.attributes.push_back({"rdma_device", valid_utf8(name), here});
    return;
  }
  device.nic->rdma_device.claim(valid_utf8(name), here);
  Attributes adapter(recording, machine, path);
  adapter.fill(device.nic->guid, "node_guid", plain_text);
  adapter.fill(device.nic->firmware, "fw_ver", plain_text);
  for (const char* kept : {"hca_type", "board_id", "node_type"}) adapter.keep(device, kept, kept);
  read_ports(path, recording, machine, nics, *id);
}

}  // namespace

void read_infiniband(const Recording& recording, Machine& machine, Nics& nics) {
  const std::string directory = "sys/class/infiniband";
  for (const auto& name : recording.list(directory)) {
    const std::string path = directory + "/" + name;
    if (const Entry* entry = recording.find(path);
        entry != nullptr && entry->kind == Entry::Kind::refused)
      machine.remark(RemarkLevel::warning, "not read: " + entry->bytes,
                     machine.sources.add(path, model::Trust::kernel));
    if (recording.has_directory(path)) read_adapter(name, path, recording, machine, nics);
  }
}

}  // namespace railgauge::observe
