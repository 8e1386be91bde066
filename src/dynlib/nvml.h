// NVML, NVIDIA's management library, as far as we use it: our own declarations of its binary
// interface and the table of functions found in the installed one.
//   Result<std::unique_ptr<Nvml>> nvml = load_nvml();
//   unsigned count = 0;
//   if (nvml && (*nvml)->device_count(&count) == nvml_success) …
// Numbers and layouts are those of NVML's stable C interface; nvml_abi_test compares them with
// nvml.h where that is installed. An optional function is nullptr where the driver is older.
// Nothing here changes a GPU's state: only Get functions are bound.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "dynlib/library.h"

namespace railgauge::dynlib {

using NvmlReturn = int;
inline constexpr NvmlReturn nvml_success = 0;
inline constexpr NvmlReturn nvml_invalid_argument = 2;
inline constexpr NvmlReturn nvml_not_supported = 3;
inline constexpr NvmlReturn nvml_not_found = 6;
inline constexpr NvmlReturn nvml_driver_not_loaded = 9;
inline constexpr NvmlReturn nvml_function_not_found = 13;
inline constexpr NvmlReturn nvml_gpu_is_lost = 15;
inline constexpr NvmlReturn nvml_library_mismatch = 18;
inline constexpr NvmlReturn nvml_unknown = 999;

// "NVML_ERROR_NOT_SUPPORTED"; a number that NVML did not have when this was written is kept:
// "NVML_ERROR_77".
std::string nvml_return_name(NvmlReturn code);

struct NvmlDeviceOpaque;
using NvmlDevice = NvmlDeviceOpaque*;

struct NvmlPciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;     // device << 16 | vendor
  unsigned pci_subsystem_id;  // likewise
  char bus_id[32];            // "00000000:1B:00.0"
};

struct NvmlMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct NvmlMemoryV2 {  // nvmlMemory_v2_t: `used` without what driver and firmware reserve
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
inline constexpr unsigned nvml_memory_v2 = sizeof(NvmlMemoryV2) | (2u << 24);

struct NvmlBar1Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct NvmlUtilization {  // percent of the time since the sample before
  unsigned gpu;
  unsigned memory;
};

struct NvmlAddressingMode {  // nvmlDeviceAddressingMode_v1_t
  unsigned version;
  unsigned mode;
};
inline constexpr unsigned nvml_addressing_mode_v1 = sizeof(NvmlAddressingMode) | (1u << 24);

union NvmlValue {
  double real;
  int int32;
  unsigned uint32;
  unsigned long ulong;
  unsigned long long uint64;
  long long int64;
  unsigned short uint16;
};

struct NvmlFieldValue {
  unsigned field;
  unsigned scope;  // the link, for fields of one NVLink
  long long timestamp;
  long long latency_us;
  int type;  // which member of value holds it: 0 real, 1 uint32, 2 ulong, 3 uint64, 4 int64, 5
             // int32, 6 uint16
  NvmlReturn result;
  NvmlValue value;
};
inline constexpr unsigned nvml_field_nvlink_speed_common = 90;  // MB/s, one direction, active links
inline constexpr unsigned nvml_field_nvlink_count = 91;
inline constexpr unsigned nvml_field_nvlink_speed = 164;  // MB/s of the link in scope

inline constexpr unsigned nvml_field_memory_temperature = 82;
inline constexpr unsigned nvml_field_pcie_replays = 94;
inline constexpr unsigned nvml_field_pcie_replay_rollovers = 95;
inline constexpr unsigned nvml_field_recovery_action = 230;

struct NvmlFabricInfo {  // nvmlGpuFabricInfo_t
  unsigned char cluster_uuid[16];
  NvmlReturn status;
  unsigned clique;
  unsigned char state;
};

struct NvmlFabricInfoV {  // nvmlGpuFabricInfo_v2_t
  unsigned version;
  unsigned char cluster_uuid[16];
  NvmlReturn status;
  unsigned clique;
  unsigned char state;
  unsigned health_mask;
};
inline constexpr unsigned nvml_fabric_info_v2 = sizeof(NvmlFabricInfoV) | (2u << 24);

inline constexpr unsigned nvml_affinity_scope_node = 0;
inline constexpr int nvml_temperature_gpu = 0;
inline constexpr int nvml_ecc_corrected = 0;  // nvmlMemoryErrorType_t
inline constexpr int nvml_ecc_uncorrected = 1;
inline constexpr int nvml_ecc_volatile = 0;  // nvmlEccCounterType_t: since the driver was loaded
inline constexpr int nvml_ecc_aggregate = 1;
inline constexpr int nvml_ecc_in_dram = 2;  // nvmlMemoryLocation_t
inline constexpr int nvml_ecc_in_sram = 7;
inline constexpr unsigned nvml_gsp_version_bytes = 64;
inline constexpr int nvml_clock_sm = 1;
inline constexpr int nvml_clock_memory = 2;

struct Nvml {
  Nvml() = default;
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();  // nvmlShutdown, where there is one

  std::string library;  // the name that opened; empty for a table made by hand

  // Required: without these there is nothing to ask.
  NvmlReturn (*shutdown)() = nullptr;
  NvmlReturn (*device_count)(unsigned*) = nullptr;
  NvmlReturn (*device_by_index)(unsigned, NvmlDevice*) = nullptr;
  NvmlReturn (*pci_info)(NvmlDevice, NvmlPciInfo*) = nullptr;

  // Optional: each may be nullptr.
  NvmlReturn (*driver_version)(char*, unsigned) = nullptr;
  NvmlReturn (*nvml_version)(char*, unsigned) = nullptr;
  NvmlReturn (*cuda_driver_version)(int*) = nullptr;
  NvmlReturn (*name)(NvmlDevice, char*, unsigned) = nullptr;
  NvmlReturn (*uuid)(NvmlDevice, char*, unsigned) = nullptr;
  NvmlReturn (*minor_number)(NvmlDevice, unsigned*) = nullptr;
  NvmlReturn (*compute_capability)(NvmlDevice, int*, int*) = nullptr;
  NvmlReturn (*memory_info)(NvmlDevice, NvmlMemory*) = nullptr;
  NvmlReturn (*pcie_generation)(NvmlDevice, unsigned*) = nullptr;
  NvmlReturn (*pcie_width)(NvmlDevice, unsigned*) = nullptr;
  NvmlReturn (*pcie_max_generation)(NvmlDevice, unsigned*) = nullptr;      // of GPU and slot
  NvmlReturn (*pcie_max_width)(NvmlDevice, unsigned*) = nullptr;           // of GPU and slot
  NvmlReturn (*pcie_gpu_max_generation)(NvmlDevice, unsigned*) = nullptr;  // of the GPU alone
  NvmlReturn (*nvlink_state)(NvmlDevice, unsigned, int*) = nullptr;
  NvmlReturn (*nvlink_version)(NvmlDevice, unsigned, unsigned*) = nullptr;
  NvmlReturn (*nvlink_remote_pci)(NvmlDevice, unsigned, NvmlPciInfo*) = nullptr;
  NvmlReturn (*nvlink_remote_type)(NvmlDevice, unsigned, int*) = nullptr;
  NvmlReturn (*nvlink_capability)(NvmlDevice, unsigned, int, unsigned*) = nullptr;
  NvmlReturn (*nvlink_error_counter)(NvmlDevice, unsigned, int, unsigned long long*) = nullptr;
  NvmlReturn (*field_values)(NvmlDevice, int, NvmlFieldValue*) = nullptr;
  NvmlReturn (*p2p_status)(NvmlDevice, NvmlDevice, int, int*) = nullptr;
  NvmlReturn (*common_ancestor)(NvmlDevice, NvmlDevice, int*) = nullptr;
  NvmlReturn (*fabric_info)(NvmlDevice, NvmlFabricInfo*) = nullptr;
  NvmlReturn (*fabric_info_v)(NvmlDevice, NvmlFabricInfoV*) = nullptr;
  NvmlReturn (*mig_mode)(NvmlDevice, unsigned*, unsigned*) = nullptr;
  NvmlReturn (*mig_max_count)(NvmlDevice, unsigned*) = nullptr;
  NvmlReturn (*mig_by_index)(NvmlDevice, unsigned, NvmlDevice*) = nullptr;
  NvmlReturn (*clock)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlReturn (*max_clock)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlReturn (*performance_state)(NvmlDevice, int*) = nullptr;
  NvmlReturn (*throttle_reasons)(NvmlDevice, unsigned long long*) = nullptr;
  NvmlReturn (*cpu_affinity)(NvmlDevice, unsigned, unsigned long*) = nullptr;
  NvmlReturn (*memory_affinity)(NvmlDevice, unsigned, unsigned long*, unsigned) = nullptr;
  NvmlReturn (*numa_node)(NvmlDevice, unsigned*) = nullptr;
  NvmlReturn (*serial)(NvmlDevice, char*, unsigned) = nullptr;
  NvmlReturn (*vbios)(NvmlDevice, char*, unsigned) = nullptr;
  NvmlReturn (*board_part_number)(NvmlDevice, char*, unsigned) = nullptr;
  NvmlReturn (*gsp_firmware)(NvmlDevice, char*) = nullptr;  // of nvml_gsp_version_bytes
  NvmlReturn (*persistence_mode)(NvmlDevice, int*) = nullptr;
  NvmlReturn (*compute_mode)(NvmlDevice, int*) = nullptr;
  NvmlReturn (*addressing_mode)(NvmlDevice, NvmlAddressingMode*) = nullptr;
  NvmlReturn (*memory_info_v2)(NvmlDevice, NvmlMemoryV2*) = nullptr;
  NvmlReturn (*bar1_memory)(NvmlDevice, NvmlBar1Memory*) = nullptr;
  NvmlReturn (*temperature)(NvmlDevice, int, unsigned*) = nullptr;
  NvmlReturn (*power_usage)(NvmlDevice, unsigned*) = nullptr;  // milliwatts
  NvmlReturn (*power_limit)(NvmlDevice, unsigned*) = nullptr;  // milliwatts, the one in force
  NvmlReturn (*utilization)(NvmlDevice, NvmlUtilization*) = nullptr;
  NvmlReturn (*ecc_mode)(NvmlDevice, int*, int*) = nullptr;
  NvmlReturn (*ecc_total)(NvmlDevice, int, int, unsigned long long*) = nullptr;
  NvmlReturn (*ecc_counter)(NvmlDevice, int, int, int, unsigned long long*) = nullptr;
  NvmlReturn (*remapped_rows)(NvmlDevice, unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;
  NvmlReturn (*retired_pages_pending)(NvmlDevice, int*) = nullptr;
};

// Opens libnvidia-ml.so.1, then libnvidia-ml.so (or `path` alone), and initialises it.
// Errors: "library not found: …" where there is no driver; "nvmlInit_v2: NVML_ERROR_…" where there
// is one that does not answer, such as after an update without a reboot.
Result<std::unique_ptr<Nvml>> load_nvml(const std::string& path = {});

}  // namespace railgauge::dynlib
