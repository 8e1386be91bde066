// Small settled machines for tests of the renderers, built by hand: ids, links and rates are set
// here, nothing is derived.
#pragma once

#include <string>

#include "model/machine.h"

namespace railgauge::present::testing {

// Sets up one machine step by step.
class Sample {
 public:
  model::Machine machine;
  model::SourceRef here;      // a stated source
  model::SourceRef inferred;  // a rule

  Sample();
  model::DeviceId package(int index);
  model::DeviceId numa(model::DeviceId package, int index);
  model::DeviceId bridge(model::DeviceKind kind, model::DeviceId parent, const std::string& id,
                         const std::string& address);
  model::DeviceId gpu(model::DeviceId parent, int index, const std::string& address, int node);
  model::DeviceId nic(model::DeviceId parent, int index, const std::string& address, int node);
  // The PCIe link of a device to its parent; `width` of `possible` lanes.
  model::Link& pcie(model::DeviceId child, int generation, int width = 16, int possible = 16);
  model::Link& inside(model::DeviceId child);
  model::Link& bond(model::LinkKind kind, model::DeviceId a, model::DeviceId b, int width,
                    int possible, int version, double gigabytes_per_link);
};

// Two sockets and a switch for every two GPUs; `gpus` must be even.
model::Machine switched_box(int gpus, int nics_per_switch, bool degraded);
model::Machine dgx(
    bool degraded);          // 8 GPUs, 8+2 NICs, an NVSwitch fabric, one GPU at x8 when degraded
model::Machine cube_mesh();  // 8 GPUs, NVLink2 in a hybrid cube mesh, 4 NICs
model::Machine full_mesh();  // 8 GPUs, xGMI from each to each
model::Machine one_gpu();    // a workstation: one GPU on a root port, one NIC, two drives
model::Machine virtual_functions();  // one adapter with 42 virtual functions, no GPU
model::Machine from_matrix();        // inferred switches, links of unknown rate
model::Machine coherent();           // two CPUs with two C2C GPUs each
model::Machine hostile();            // names with markup, quotes, control bytes, broken UTF-8
model::Machine wide(int devices);    // many NICs and functions, for bounds

}  // namespace railgauge::present::testing
