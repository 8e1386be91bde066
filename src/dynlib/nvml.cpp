#include "dynlib/nvml.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

namespace railgauge::dynlib {
namespace {

// The first of the names that the library has. Later names are older forms of the same call.
template <class Function>
void bind(const Library& library, Function*& function, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if ((function = library.function<Function>(name)) != nullptr) return;
}

void bind_required(const Library& library, Nvml& nvml) {
  bind(library, nvml.shutdown, {"nvmlShutdown"});
  bind(library, nvml.device_count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  bind(library, nvml.device_by_index,
       {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  // The older forms fill the same struct up to the subsystem id and leave bus_id to be blank.
  bind(library, nvml.pci_info,
       {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"});
}

void bind_device(const Library& library, Nvml& nvml) {
  bind(library, nvml.driver_version, {"nvmlSystemGetDriverVersion"});
  bind(library, nvml.nvml_version, {"nvmlSystemGetNVMLVersion"});
  bind(library, nvml.cuda_driver_version,
       {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
  bind(library, nvml.name, {"nvmlDeviceGetName"});
  bind(library, nvml.uuid, {"nvmlDeviceGetUUID"});
  bind(library, nvml.minor_number, {"nvmlDeviceGetMinorNumber"});
  bind(library, nvml.compute_capability, {"nvmlDeviceGetCudaComputeCapability"});
  bind(library, nvml.memory_info, {"nvmlDeviceGetMemoryInfo"});
  bind(library, nvml.pcie_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
  bind(library, nvml.pcie_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
  bind(library, nvml.pcie_max_generation, {"nvmlDeviceGetMaxPcieLinkGeneration"});
  bind(library, nvml.pcie_max_width, {"nvmlDeviceGetMaxPcieLinkWidth"});
  bind(library, nvml.pcie_gpu_max_generation, {"nvmlDeviceGetGpuMaxPcieLinkGeneration"});
  bind(library, nvml.clock, {"nvmlDeviceGetClockInfo"});
  bind(library, nvml.max_clock, {"nvmlDeviceGetMaxClockInfo"});
  bind(library, nvml.performance_state, {"nvmlDeviceGetPerformanceState"});
  bind(library, nvml.throttle_reasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  bind(library, nvml.cpu_affinity, {"nvmlDeviceGetCpuAffinity"});
  bind(library, nvml.memory_affinity, {"nvmlDeviceGetMemoryAffinity"});
  bind(library, nvml.numa_node, {"nvmlDeviceGetNumaNodeId"});
}

void bind_interconnect(const Library& library, Nvml& nvml) {
  bind(library, nvml.nvlink_state, {"nvmlDeviceGetNvLinkState"});
  bind(library, nvml.nvlink_version, {"nvmlDeviceGetNvLinkVersion"});
  bind(library, nvml.nvlink_remote_pci,
       {"nvmlDeviceGetNvLinkRemotePciInfo_v2", "nvmlDeviceGetNvLinkRemotePciInfo"});
  bind(library, nvml.nvlink_remote_type, {"nvmlDeviceGetNvLinkRemoteDeviceType"});
  bind(library, nvml.nvlink_capability, {"nvmlDeviceGetNvLinkCapability"});
  bind(library, nvml.nvlink_error_counter, {"nvmlDeviceGetNvLinkErrorCounter"});
  bind(library, nvml.field_values, {"nvmlDeviceGetFieldValues"});
  bind(library, nvml.p2p_status, {"nvmlDeviceGetP2PStatus"});
  bind(library, nvml.common_ancestor, {"nvmlDeviceGetTopologyCommonAncestor"});
  bind(library, nvml.fabric_info, {"nvmlDeviceGetGpuFabricInfo"});
  bind(library, nvml.fabric_info_v, {"nvmlDeviceGetGpuFabricInfoV"});
  bind(library, nvml.mig_mode, {"nvmlDeviceGetMigMode"});
  bind(library, nvml.mig_max_count, {"nvmlDeviceGetMaxMigDeviceCount"});
  bind(library, nvml.mig_by_index, {"nvmlDeviceGetMigDeviceHandleByIndex"});
}

void bind_health(const Library& library, Nvml& nvml) {
  bind(library, nvml.serial, {"nvmlDeviceGetSerial"});
  bind(library, nvml.vbios, {"nvmlDeviceGetVbiosVersion"});
  bind(library, nvml.board_part_number, {"nvmlDeviceGetBoardPartNumber"});
  bind(library, nvml.gsp_firmware, {"nvmlDeviceGetGspFirmwareVersion"});
  bind(library, nvml.persistence_mode, {"nvmlDeviceGetPersistenceMode"});
  bind(library, nvml.compute_mode, {"nvmlDeviceGetComputeMode"});
  bind(library, nvml.addressing_mode, {"nvmlDeviceGetAddressingMode"});
  bind(library, nvml.memory_info_v2, {"nvmlDeviceGetMemoryInfo_v2"});
  bind(library, nvml.bar1_memory, {"nvmlDeviceGetBAR1MemoryInfo"});
  bind(library, nvml.temperature, {"nvmlDeviceGetTemperature"});
  bind(library, nvml.power_usage, {"nvmlDeviceGetPowerUsage"});
  bind(library, nvml.power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
  bind(library, nvml.utilization, {"nvmlDeviceGetUtilizationRates"});
  bind(library, nvml.ecc_mode, {"nvmlDeviceGetEccMode"});
  bind(library, nvml.ecc_total, {"nvmlDeviceGetTotalEccErrors"});
  bind(library, nvml.ecc_counter, {"nvmlDeviceGetMemoryErrorCounter"});
  bind(library, nvml.remapped_rows, {"nvmlDeviceGetRemappedRows"});
  bind(library, nvml.retired_pages_pending, {"nvmlDeviceGetRetiredPagesPendingStatus"});
}

std::string init_advice(NvmlReturn code) {
  if (code == nvml_library_mismatch)
    return ": the kernel module and the library are of different versions, as after a driver "
           "update; reload the module or reboot";
  if (code == nvml_driver_not_loaded) return ": the NVIDIA kernel module is not loaded";
  return "";
}

// Always attaches. NVML_INIT_FLAG_NO_ATTACH would be quicker on a machine without persistence mode,
// but a driver of branch 580 then counts no GPUs at all and says so without an error (seen on an
// H200).
Result<void> initialise(const Library& library) {
  NvmlReturn (*init)() = nullptr;
  bind(library, init, {"nvmlInit_v2", "nvmlInit"});
  if (init == nullptr) return fail(ErrorKind::device, library.name() + " has no nvmlInit_v2");
  if (const NvmlReturn code = init(); code != nvml_success)
    return fail(ErrorKind::device,
                fmt::format("nvmlInit_v2: {}{}", nvml_return_name(code), init_advice(code)));
  return {};
}

}  // namespace

Nvml::~Nvml() {
  if (shutdown != nullptr) shutdown();
}

Result<std::unique_ptr<Nvml>> load_nvml(const std::string& path) {
  Result<Library> library = Library::open({"libnvidia-ml.so.1", "libnvidia-ml.so"}, path);
  if (!library) return tl::unexpected(std::move(library.error()));
  auto nvml = std::make_unique<Nvml>();
  nvml->library = library->name();
  bind_required(*library, *nvml);
  if (!nvml->shutdown || !nvml->device_count || !nvml->device_by_index || !nvml->pci_info) {
    nvml->shutdown = nullptr;
    return fail(ErrorKind::device,
                fmt::format("{} is not a usable NVML: nvmlShutdown, nvmlDeviceGetCount_v2, "
                            "nvmlDeviceGetHandleByIndex_v2 or nvmlDeviceGetPciInfo_v3 is missing",
                            library->name()));
  }
  bind_device(*library, *nvml);
  bind_interconnect(*library, *nvml);
  bind_health(*library, *nvml);
  if (auto started = initialise(*library); !started) {
    nvml->shutdown = nullptr;  // what was not started must not be shut down
    return tl::unexpected(std::move(started.error()).because("starting " + library->name()));
  }
  return nvml;
}

}  // namespace railgauge::dynlib
