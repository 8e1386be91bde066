// The live source "sysfs": PCI functions, NUMA nodes, CPU packages.
#include "observe/sources.h"
#include "observe/sysfs/copy.h"
#include "observe/sysfs/cpu_capture.h"
#include "observe/sysfs/cpu_read.h"
#include "observe/sysfs/pci_capture.h"
#include "observe/sysfs/pci_read.h"

namespace railgauge::observe {

void capture_sysfs(const Root& root, Recording& recording) {
  capture_pci(root, recording);
  capture_cpus(root, recording);
}

void sample_sysfs(const Root& root, const Recording& first, Recording& sample) {
  reread(
      root.prefix, first,
      [](std::string_view path) {
        return path.substr(path.rfind('/') + 1).starts_with("aer_dev_");
      },
      sample);
}

bool sysfs_present(const Recording& recording) {
  return recording.has_directory("sys/devices") || recording.find("proc/cpuinfo") != nullptr;
}

Result<model::Machine> read_sysfs(const Recording& recording) {
  if (!sysfs_present(recording))
    return fail(ErrorKind::not_found,
                "the recording holds neither sys/devices nor proc/cpuinfo, which the kernel's view "
                "of the machine is read from");
  model::Machine machine;
  machine.name = recording.name;
  read_cpus(recording, machine);
  read_pci(recording, machine);
  return machine;
}

}  // namespace railgauge::observe
