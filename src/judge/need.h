// The kinds of facts that rules need, and how a person gets them. A rule whose need is absent is
// not checked, and the report says what to give: never a pass.
#pragma once

#include <cstdint>
#include <string_view>

#include "judge/patient.h"

namespace railgauge::judge {

enum class Need : std::uint8_t {
  gpus,             // which GPUs there are
  nics,             // which network adapters there are
  topology,         // where devices sit: a PCIe tree or a matrix
  gpu_matrix,       // GPU to GPU classes: topo -m, or NVLink states
  nvlink_state,     // each NVLink up or down
  nvlink_counters,  // their errors
  pcie_link,        // negotiated and possible speed and width
  pcie_config,      // configuration space: ASPM, ACS, read request, relaxed ordering
  pcie_errors,      // AER counters
  kernel_log,
  kernel_arguments,
  modules,
  limits,  // locked memory, open files
  shm,     // size of /dev/shm
  memory,  // memory and huge pages
  governor,
  affinity,  // the CPUs a process may use
  interrupts,
  numa,        // NUMA nodes and their CPUs
  rdma_ports,  // state, rate, MTU
  gids,
  port_counters,
  port_samples,  // counters read twice, with a time between
  gpu_health,    // ECC, remapped rows, clocks, throttling
  fabric_state,
  driver_version,
  nccl_log,
  nccl_version,
  environment,  // NCCL_*, UCX_* variables: env, a script, a manifest
  hang_dump,
  benchmark,
  topology_file,  // an NCCL topology XML
  earlier,        // an older recording
  reference,      // a known machine to compare with
  services,       // fabric manager, persistence daemon
};
inline constexpr int need_count = 35;

struct NeedWords {
  std::string_view what;     // "PCIe configuration space"
  std::string_view command;  // "sudo lspci -vvv"
};
NeedWords words(Need need);

// Whether anybody said anything of that kind. That a source was looked at and had nothing counts
// as said.
bool has(const Patient& patient, Need need);

}  // namespace railgauge::judge
