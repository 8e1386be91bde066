// The things inside one machine: what each is, where it sits, what is known of it.
// A Device has the facts every device can have, and one optional part for what only its kind has.
// Plain values: copy, compare, print. Facts keep their sources; see fact.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "model/fact.h"
#include "model/pci.h"

namespace railgauge::model {

// Index into Machine::devices.
struct DeviceId {
  std::uint32_t value = 0;
  friend auto operator<=>(const DeviceId&, const DeviceId&) = default;
};

enum class DeviceKind : std::uint8_t {
  package,  // a CPU socket
  numa_node,
  host_bridge,  // a PCI root bus: "pci0000:15"
  root_port,    // the PCIe port of a host bridge
  pcie_switch,  // one switch, named by its upstream port
  switch_port,  // a downstream port of a switch
  pcie_bridge,  // a bridge whose role is not known, or PCIe-to-PCI
  gpu,
  nvswitch,  // one chip, or the whole NVLink switch fabric where chips are not visible
  nic,  // one PCI function of a network adapter (or one adapter where functions are not visible)
  nvme,
  other,  // a PCI function of any other class
};
std::string_view text(DeviceKind kind);  // "package", "numa_node", …: also the JSON word
std::optional<DeviceKind> parse_device_kind(std::string_view word);
bool is_pcie_bridge(DeviceKind kind);  // root_port, pcie_switch, switch_port, pcie_bridge

// One end of a PCIe link as this function reports it.
struct LinkEnd {
  Fact<PcieSpeed> current_speed;
  Fact<PcieSpeed> max_speed;
  Fact<int> current_width;  // lanes
  Fact<int> max_width;
  friend bool operator==(const LinkEnd&, const LinkEnd&) = default;
};

// Which peer-redirecting bits of Access Control Services are set.
struct AcsControl {
  bool source_validation = false;
  bool translation_blocking = false;
  bool request_redirect = false;
  bool completion_redirect = false;
  bool upstream_forwarding = false;
  bool egress_control = false;
  bool direct_translated = false;

  bool redirects() const { return request_redirect || completion_redirect || upstream_forwarding; }
  friend bool operator==(const AcsControl&, const AcsControl&) = default;
};

// What is enabled (LnkCtl), not what is supported.
enum class Aspm : std::uint8_t { disabled, l0s, l1, l0s_l1 };
std::string_view text(Aspm aspm);

struct PciFacts {
  Fact<PciId> id;
  Fact<PciId> subsystem;
  Fact<PciClass> pci_class;
  Fact<int> revision;
  Fact<PciPort> port;
  LinkEnd link;  // towards the root for endpoints and upstream ports; towards the device for root
                 // and downstream ports
  Fact<std::string> driver;
  Fact<int> iommu_group;
  Fact<std::string> power_state;  // "D0", "D3hot" …
  Fact<int> sriov_total_vfs;
  Fact<int> sriov_active_vfs;
  Fact<PciAddress> physical_function;  // set on a virtual function
  Fact<Aspm> aspm;
  Fact<AcsControl> acs;
  Fact<int> max_payload_bytes;
  Fact<int> max_read_request_bytes;
  Fact<bool> relaxed_ordering;
  // Counters by the kernel's names: "RxErr", "BadTLP", "TOTAL_ERR_COR" …
  std::map<std::string, Fact<std::uint64_t>> aer_correctable;
  std::map<std::string, Fact<std::uint64_t>> aer_nonfatal;
  std::map<std::string, Fact<std::uint64_t>> aer_fatal;
  Fact<int> secondary_bus;  // bridges: buses behind it
  Fact<int> subordinate_bus;
  Fact<std::string> slot;  // "SLOT 40"
  friend bool operator==(const PciFacts&, const PciFacts&) = default;
};

struct CpuFacts {                  // package and numa_node
  Fact<std::string> vendor;        // "GenuineIntel", "AuthenticAMD", "ARM"
  Fact<std::string> architecture;  // "x86_64", "arm64", "ppc64"
  Fact<std::string> model_name;
  Fact<int> family;
  Fact<int> model;
  Fact<std::string> cpus;  // list form: "0-47,96-143"
  Fact<int> core_count;
  Fact<std::uint64_t> memory_bytes;
  Fact<std::vector<int>> distances;  // ACPI SLIT row of a numa_node
  Fact<std::string> caches;          // "L3 32 MiB x8"
  friend bool operator==(const CpuFacts&, const CpuFacts&) = default;
};

// One NVLink of a GPU.
struct NvLinkPort {
  int number = 0;
  Fact<bool> active;
  Fact<int> version;
  Fact<PciAddress> remote;
  Fact<DeviceKind> remote_kind;  // gpu, nvswitch, package (NPU, C2C)
  Fact<BytesPerSecond> rate;     // one direction, as the driver reports it
  std::map<std::string, Fact<std::uint64_t>> errors;
  friend bool operator==(const NvLinkPort&, const NvLinkPort&) = default;
};

struct GpuFacts {
  Fact<std::string> uuid;
  Fact<int> compute_capability;     // 90 for sm_90
  Fact<std::string> cpu_affinity;   // as reported: "0-47,96-143"
  Fact<std::string> numa_affinity;  // as reported: "0", "0-1", "0,3-9"
  Fact<int> gpu_numa_id;            // the NUMA node made of this GPU's own memory
  std::vector<NvLinkPort> nvlinks;
  Fact<int> nvlink_count_max;
  Fact<std::uint64_t> memory_bytes;
  Fact<std::string> fabric_state;  // "completed", "in_progress", "not_started", "not_supported"
  Fact<std::string> fabric_status;
  Fact<std::string> fabric_cluster;  // NVLink domain (clique and cluster) of a rack
  Fact<bool> mig_enabled;
  std::vector<std::string> mig_devices;
  Fact<std::string> p_state;  // "P0" … "P12"
  Fact<int> sm_clock_mhz;
  Fact<int> sm_clock_max_mhz;
  Fact<int> memory_clock_mhz;
  Fact<std::vector<std::string>> throttle_reasons;
  Fact<std::string> gcn_architecture;  // AMD: "gfx942"
  // As an NCCL topology file states them.
  Fact<int> rank;
  Fact<int> nccl_device;
  Fact<bool> gpudirect;
  friend bool operator==(const GpuFacts&, const GpuFacts&) = default;
};

// One port of a network adapter, as RDMA and the kernel's network stack see it.
struct NicPort {
  int number = 1;
  Fact<std::string> state;       // "ACTIVE", "DOWN" …
  Fact<std::string> link_layer;  // "InfiniBand", "Ethernet"
  Fact<BytesPerSecond> rate;     // one direction
  Fact<std::string> netdev;
  Fact<int> mtu;
  friend bool operator==(const NicPort&, const NicPort&) = default;
};

struct NicFacts {
  Fact<std::string> rdma_device;  // "mlx5_0"
  Fact<std::string> netdev;       // "enp26s0np0"
  Fact<std::string> guid;
  Fact<std::string> firmware;
  std::vector<NicPort> ports;
  // As an NCCL topology file states them (speed is in NicPort::rate).
  Fact<int> nccl_device;
  Fact<bool> gpudirect;
  friend bool operator==(const NicFacts&, const NicFacts&) = default;
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
  std::optional<PciFacts> pci;  // every PCI function
  std::optional<CpuFacts> cpu;
  std::optional<GpuFacts> gpu;
  std::optional<NicFacts> nic;
  std::vector<Attribute> attributes;

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace railgauge::model
