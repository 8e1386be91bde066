#include "observe/ethtool/counter_names.h"
#include "observe/rdma/nics.h"
#include "observe/rdma/port_read.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::Machine;
using model::RemarkLevel;

// The specification numbers the ports of one adapter from 1 to 254.
constexpr int max_port = 254;

void read_ports(const std::string& path, const Recording& recording, Machine& machine, Nics& nics,
                const CounterNames& names, DeviceId id) {
  for (const auto& name : recording.list(path + "/ports")) {
    const auto number = count(name);
    const std::string port_path = path + "/ports/" + name;
    if (!number || *number < 1 || *number > max_port) {
      machine.remark(RemarkLevel::warning, "expected a port from 1 to 254, found " + quoted(name),
                     machine.sources.add(port_path, model::Trust::kernel));
      continue;
    }
    read_rdma_port(recording, port_path, names, machine, id, nics.port(id, *number));
  }
}

void read_adapter(const std::string& name, const std::string& path, const Recording& recording,
                  const CounterNames& names, Machine& machine, Nics& nics) {
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
  adapter.fill(device.nic->guid, "node_guid", guid_text);
  adapter.fill(device.nic->system_image_guid, "sys_image_guid", guid_text);
  adapter.fill(device.nic->firmware, "fw_ver", plain_text);
  adapter.fill(device.nic->hca_type, "hca_type", plain_text);
  adapter.fill(device.nic->board_id, "board_id", plain_text);
  adapter.fill(device.nic->hardware_version, "hw_rev", plain_text);
  adapter.keep(device, "node_type", "node_type");
  read_ports(path, recording, machine, nics, names, *id);
}

}  // namespace

void read_infiniband(const Recording& recording, Machine& machine, Nics& nics) {
  const std::string directory = "sys/class/infiniband";
  const CounterNames names = CounterNames::of_rdma();
  for (const auto& name : recording.list(directory)) {
    const std::string path = directory + "/" + name;
    if (const Entry* entry = recording.find(path);
        entry != nullptr && entry->kind == Entry::Kind::refused)
      machine.remark(RemarkLevel::warning, "not read: " + std::string(entry->bytes),
                     machine.sources.add(path, model::Trust::kernel));
    if (recording.has_directory(path)) read_adapter(name, path, recording, names, machine, nics);
  }
}

}  // namespace railgauge::observe
