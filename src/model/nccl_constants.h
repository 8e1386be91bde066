// The bandwidths NCCL assumes, GB/s, by version. They steer its choices; they are not measurements.
// Source: src/graph/topo.h and topo.cc of the NCCL releases 2.8.3 to 2.30.7.
#pragma once

#include "model/device.h"
#include "model/path_class.h"

namespace railgauge::model::nccl {

constexpr double local_gbps = 5000;         // LOC_BW
constexpr double default_pcie_gbps = 12;    // PCI_BW: Gen3 x16
constexpr double default_net_gbps = 12;     // NET_BW: 100 Gb/s
constexpr double intel_p2p_overhead = 1.2;  // INTEL_P2P_OVERHEAD: Intel splits peer traffic to 64 B

// One NVLink, one direction; compute capability 90 is sm_90.
double nvlink_gbps(int compute_capability, NcclVersion version);

// PCIe: 100 Mb/s steps per lane after overheads, times lanes; nothing for a speed NCCL has no row
// for (it then assumes Gen3 without a word).
std::optional<double> pcie_gbps(PcieSpeed speed, int width);

// Between two CPU nodes; nothing when the CPU is unknown.
std::optional<double> inter_cpu_gbps(const CpuFacts& cpu, NcclVersion version);

bool is_intel(const CpuFacts& cpu);

}  // namespace railgauge::model::nccl
