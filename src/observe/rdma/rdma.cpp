// The live source "rdma": network adapters as the RDMA and network stacks see them.
#include "observe/rdma/class_capture.h"
#include "observe/rdma/nics.h"
#include "observe/sources.h"

namespace railgauge::observe {

void capture_rdma(const Root& root, Recording& recording) {
  capture_infiniband(root, recording);
  capture_net(root, recording);
}

bool rdma_present(const Recording& recording) {
  return recording.has_directory("sys/class/infiniband") ||
         recording.has_directory("sys/class/net");
}

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
  return machine;
}

}  // namespace railgauge::observe
