// What a setting must be held against: the GPUs, links and adapters of the machine, as far as
// anybody told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

struct GpuPicture {
  std::size_t count = 0;      // 0: nobody told
  bool nvlink = false;        // NVLink or xGMI joins some of them
  bool whole_nvlink = false;  // an NVSwitch, or NVLink between all pairs that are known
  bool no_nvlink = false;     // somebody looked, and there is none
  bool geforce = false;       // all of them are boards whose driver refuses peer access
  bool refused = false;       // the driver says that it refuses
  bool coherent = false;      // NVLink-C2C to the CPU: Grace
  bool amd = false;
  bool nvidia = false;
  std::optional<int> least_capability;  // 90 for sm_90
};
GpuPicture gpu_picture(const model::Machine& machine);

struct AdapterPicture {
  std::vector<std::string> rdma;        // "mlx5_0": RDMA devices that verbs can use
  std::vector<std::string> interfaces;  // "eth0", sorted
  bool unnamed = false;                 // others that may be RDMA devices, without a name
  bool efa = false;                     // of Amazon: NCCL needs its plugin for them
  bool infiniband_only = false;         // all layers are known, and none is Ethernet
  bool told = false;                    // anybody listed adapters
};
AdapterPicture adapter_picture(const model::Machine& machine);

}  // namespace railgauge::judge
