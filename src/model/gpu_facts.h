// What is known of one GPU, beside its PCI function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "model/counter.h"
#include "model/device_kind.h"
#include "model/fact.h"
#include "model/limit.h"
#include "model/pci.h"

namespace railgauge::model {

// One NVLink of a GPU.
struct NvLinkPort {
  int number = 0;
  Fact<bool> active;
  Fact<int> version;
  Fact<PciAddress> remote;
  Fact<DeviceKind> remote_kind;  // gpu, nvswitch, package (NPU, C2C)
  Fact<BytesPerSecond> rate;     // one direction, as the driver reports it
  Counters errors;               // "crc_flit", "crc_data", "replay", "recovery" …
  friend bool operator==(const NvLinkPort&, const NvLinkPort&) = default;
};

struct GpuFacts {
  Fact<std::string> uuid;
  Fact<std::string> serial;
  Fact<std::string> board_part_number;
  Fact<int> compute_capability;     // 90 for sm_90
  Fact<std::string> cpu_affinity;   // as reported: "0-47,96-143"
  Fact<std::string> numa_affinity;  // as reported: "0", "0-1", "0,3-9"
  Fact<int> gpu_numa_id;            // the NUMA node made of this GPU's own memory
  std::vector<NvLinkPort> nvlinks;
  Fact<int> nvlink_count_max;
  Fact<std::uint64_t> memory_bytes;
  Fact<std::uint64_t> memory_used_bytes;
  Fact<std::uint64_t> bar1_bytes;  // as large as the memory: resizable BAR or Above-4G is in use
  Fact<std::string> fabric_state;  // "completed", "in_progress", "not_started", "not_supported"
  Fact<std::string> fabric_status;
  Fact<std::string> fabric_cluster;  // NVLink domain (clique and cluster) of a rack
  Fact<bool> mig_enabled;
  std::vector<std::string> mig_devices;
  Fact<std::string> vbios;
  Fact<std::string> gsp_firmware;
  Fact<std::string> p_state;  // "P0" … "P12"
  Fact<int> sm_clock_mhz;
  Fact<int> sm_clock_max_mhz;
  Fact<int> memory_clock_mhz;
  Fact<int> memory_clock_max_mhz;
  Fact<std::vector<std::string>> throttle_reasons;
  Fact<int> temperature_celsius;
  Fact<int> memory_temperature_celsius;
  Fact<double> power_watts;
  Fact<double> power_limit_watts;
  Fact<int> utilization_percent;
  Fact<bool> persistence_mode;
  Fact<std::string> compute_mode;     // "default", "exclusive_process", "prohibited"
  Fact<std::string> addressing_mode;  // "hmm", "ats", "none"
  Fact<bool> ecc_enabled;
  Counters ecc_errors;   // "volatile_sram_uncorrectable", "aggregate_dram_correctable" …
  Counters pcie_errors;  // "replays", "replay_rollovers"
  Fact<int> remapped_rows_correctable;
  Fact<int> remapped_rows_uncorrectable;
  Fact<bool> remapping_pending;  // takes effect at the next reset
  Fact<bool> remapping_failed;
  Fact<bool> reset_required;
  Fact<std::string> recovery_action;   // "none", "reset", "reboot", "drain_p2p" …
  Fact<std::string> gcn_architecture;  // AMD: "gfx942"
  // As an NCCL topology file states them.
  Fact<int> rank;
  Fact<int> nccl_device;
  Fact<bool> gpudirect;
  friend bool operator==(const GpuFacts&, const GpuFacts&) = default;
};

}  // namespace railgauge::model
