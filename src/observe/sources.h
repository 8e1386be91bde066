// The live sources, each in two halves: capture (the world into a recording) and read (a recording
// into facts). One list; `see -v` prints the time of each.
#pragma once

#include <span>

#include "base/result.h"
#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

struct LiveSource {
  const char* name;
  // Adds what it finds; what it may not read becomes Entry::refused. Never fails, never blocks
  // unbounded.
  void (*capture)(const Root& root, Recording& recording);
  // Reads again only what counts upwards, under the same paths as in `first`; nullptr where nothing
  // does. `sample` becomes samples/N of the whole recording.
  void (*sample)(const Root& root, const Recording& first, Recording& sample);
  // True when the recording holds something of this source.
  bool (*present)(const Recording& recording);
  Result<model::Machine> (*read)(const Recording& recording);
};

std::span<const LiveSource> live_sources();

// sysfs/: PCI functions, NUMA nodes, CPU packages.
void capture_sysfs(const Root& root, Recording& recording);
void sample_sysfs(const Root& root, const Recording& first, Recording& sample);  // AER
bool sysfs_present(const Recording& recording);
Result<model::Machine> read_sysfs(const Recording& recording);

// system/: the host, its modules, interrupts, limits, settings, libraries and environment.
void capture_system(const Root& root, Recording& recording);
void sample_system(const Root& root, const Recording& first, Recording& sample);  // interrupts
bool system_present(const Recording& recording);
Result<model::Machine> read_system(const Recording& recording);

// rdma/: /sys/class/infiniband and /sys/class/net.
void capture_rdma(const Root& root, Recording& recording);
void sample_rdma(const Root& root, const Recording& first, Recording& sample);  // all counters
bool rdma_present(const Recording& recording);
Result<model::Machine> read_rdma(const Recording& recording);

// ethtool/: statistics, driver and pause of network drivers, of the network devices that rdma/ has
// captured before.
void capture_ethtool(const Root& root, Recording& recording);
void sample_ethtool(const Root& root, const Recording& first, Recording& sample);  // statistics
bool ethtool_present(const Recording& recording);
Result<model::Machine> read_ethtool(const Recording& recording);

// hwloc/: hwloc's XML of CPUs, caches, NUMA ("hwloc.xml").
void capture_hwloc(const Root& root, Recording& recording);
bool hwloc_present(const Recording& recording);
Result<model::Machine> read_hwloc(const Recording& recording);

// nvml/: every fact NVML gives, as "nvml.json".
void capture_nvml(const Root& root, Recording& recording);
void sample_nvml(const Root& root, const Recording& first, Recording& sample);
bool nvml_present(const Recording& recording);
Result<model::Machine> read_nvml(const Recording& recording);

// commands/: outputs of the few programs that are run.
void capture_commands(const Root& root, Recording& recording);
bool commands_present(const Recording& recording);
Result<model::Machine> read_commands(const Recording& recording);
// kernel_log/: the lines of the kernel's log that are about errors, links, GPUs, adapters, as
// "kernel.log". No other line leaves the machine.
void capture_kernel_log(const Root& root, Recording& recording);
bool kernel_log_present(const Recording& recording);
Result<model::Machine> read_kernel_log(const Recording& recording);

}  // namespace railgauge::observe
