// What NCCL's graph search knows of the machines of a job, in NCCL's own figures (GB/s, one
// direction). One node stands for all.
#pragma once

#include "model/path_class.h"

namespace railgauge::model::nccl_cost {

struct Fabric {
  int compute_capability = 90;  // 90 for sm_90
  int gpus_per_node = 8;
  int nodes = 1;
  bool nvlink = true;      // every pair of GPUs, else PCIe
  bool multicast = false;  // NVSwitch that adds and copies (NVLS): from Hopper on
  double gpu_gbps = 0;  // all NVLinks of one GPU together; without NVLink the narrowest PCIe path
  int nics = 0;         // of one node; only read where there are several nodes
  double nic_gbps = 0;  // the narrower of a port and its PCIe path
  bool amd_cpu = false;
  double sm_clock_mhz = 0;  // highest; 0: that of the data sheet
  NcclVersion version{2, 28, 9};

  int ranks() const { return gpus_per_node * nodes; }
  friend bool operator==(const Fabric&, const Fabric&) = default;
};

}  // namespace railgauge::model::nccl_cost
