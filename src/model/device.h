// The things inside one machine: what each is, where it sits, what is known of it.
// A Device has the facts every device can have, and one optional part for what only its kind has.
// Plain values: copy, compare, print. Facts keep their sources; see fact.h. Each part's facts are
// named once, in field_lists.h, for whoever visits all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/boxed.h"
#include "model/cpu_facts.h"
#include "model/device_kind.h"
#include "model/fact.h"
#include "model/gpu_facts.h"
#include "model/nic_facts.h"
#include "model/pci_facts.h"

namespace railgauge::model {

// Index into Machine::devices.
struct DeviceId {
  std::uint32_t value = 0;
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};

// A stated property that has no field of its own yet, kept so that nothing is lost ("nccl.maxconn"
// = "262144").
struct Attribute {
  std::string key;
  std::string value;
  SourceRef source;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

struct Device {
  DeviceKind kind = DeviceKind::other;
  std::string id;  // unique in the machine: "gpu0", "mlx5_3", "switch1"; given by settle()
  std::optional<DeviceId> parent;  // one step nearer to the CPU
  SourceRef parent_source;
  SourceRef seen_in;  // who first spoke of this device
  Fact<int> index;    // the number tools use: GPU3 is 3, NIC2 is 2, NUMA node 1 is 1
  Fact<PciAddress> address;
  Fact<std::string> name;  // product name
  Fact<int> numa_node;
  Boxed<PciFacts> pci;  // every PCI function
  Boxed<CpuFacts> cpu;
  Boxed<GpuFacts> gpu;
  Boxed<NicFacts> nic;
  std::vector<Attribute> attributes;

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace railgauge::model
