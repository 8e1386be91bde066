// The live source "rdma": network adapters as the RDMA and network stacks see them.
#include "base/strings.h"
#include "observe/rdma/class_capture.h"
#include "observe/rdma/nics.h"
#include "observe/rdma/port_text.h"
#include "observe/sources.h"
#include "observe/sysfs/copy.h"

namespace railgauge::observe {

void capture_rdma(const Root& root, Recording& recording) {
  capture_infiniband(root, recording);
  capture_net(root, recording);
}

void sample_rdma(const Root& root, const Recording& first, Recording& sample) {
  reread(
      root.prefix, first,
      [](std::string_view path) {
        return path.starts_with("sys/class/") &&
               (contains(path, "/counters/") || contains(path, "/hw_counters/") ||
                contains(path, "/statistics/"));
      },
      sample);
}

bool rdma_present(const Recording& recording) {
  return recording.has_directory("sys/class/infiniband") ||
         recording.has_directory("sys/class/net");
}

namespace {

// Over Ethernet the kernel derives the MTU of RDMA from the network device's, and has no file for
// it.
void infer_roce_mtu(model::Machine& machine) {
  for (const auto id : machine.of_kind(model::DeviceKind::nic)) {
    model::NicFacts& nic = *machine[id].nic;
    if (!nic.rdma_device) continue;
    for (model::NicPort& port : nic.ports) {
      if (port.link_layer.value_or("") != "Ethernet" || !port.mtu || port.active_mtu_bytes)
        continue;
      model::SourceRef here = port.mtu.source();
      here.trust = model::Trust::inferred;
      if (const auto mtu = roce_mtu(*port.mtu))
        port.active_mtu_bytes.claim(*mtu, here);
      else
        port.active_mtu_bytes.refuse("no RDMA MTU fits the network device's", here);
    }
  }
}

}  // namespace

Result<model::Machine> read_rdma(const Recording& recording) {
  if (!rdma_present(recording))
    return fail(ErrorKind::not_found,
                "the recording holds neither sys/class/infiniband nor sys/class/net, which network "
                "adapters are read from");
  model::Machine machine;
  machine.name = recording.name;
  Nics nics(machine);
  read_infiniband(recording, machine, nics);
  read_net(recording, machine, nics);
  infer_roce_mtu(machine);
  return machine;
}

}  // namespace railgauge::observe
