// Which devices belong together, on a settled machine. Pure.
#pragma once

#include <vector>

#include "model/machine.h"
#include "model/paths.h"

namespace railgauge::model {

// GPUs that reach each other by NVLink or xGMI, directly or through switches or other GPUs.
// Singletons are left out. Sorted by first member.
struct NvLinkDomain {
  std::vector<DeviceId> gpus;
  bool switched = false;    // through an NVSwitch
  bool all_to_all = false;  // every pair directly or through a switch
};
std::vector<NvLinkDomain> nvlink_domains(const Machine& machine);

// One PCIe switch (the outermost where switches cascade are listed too) with the GPUs, NICs and
// drives below it, and its uplink.
struct SwitchGroup {
  DeviceId pcie_switch;
  std::vector<DeviceId> members;      // GPUs, NICs, NVMe
  std::optional<std::size_t> uplink;  // into Machine::links
  Reading<BytesPerSecond> demand;     // sum of the members' own link rates
  bool shared = false;                // demand above the uplink's rate
};
std::vector<SwitchGroup> switch_groups(const Machine& machine);

// NICs of a GPU by distance, nearest first; ties by position (same rail order as the machine's).
struct NicDistance {
  DeviceId nic;
  PathClass distance;
};
std::vector<NicDistance> nics_by_distance(const Machine& machine, DeviceId gpu);

// The nearest class only; empty when the machine has no NIC or distances are unknown.
std::vector<DeviceId> nearest_nics(const Machine& machine, DeviceId gpu);

// Same NUMA node: known only when both nodes are.
Reading<bool> numa_aligned(const Machine& machine, DeviceId a, DeviceId b);

// GPU-NIC pairs that GPUDirect RDMA may use by distance (at most PXB, NCCL's default), with the
// reason where not. Says nothing about drivers or modules: that is judge's.
struct GpudirectPair {
  DeviceId gpu;
  DeviceId nic;
  bool eligible = false;
  std::string why_not;
};
std::vector<GpudirectPair> gpudirect_pairs(const Machine& machine);

}  // namespace railgauge::model
