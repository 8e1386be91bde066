// Our declarations of NVML against NVIDIA's own, where its header is installed.
#include <gtest/gtest.h>

#include <cstddef>

#include "dynlib/nvml.h"

#ifdef RAILGAUGE_HAS_NVML_HEADER
#include <nvml.h>

namespace railgauge::dynlib {
namespace {

template <class Ours, class Theirs>
constexpr bool same_size = sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs);

static_assert(same_size<NvmlReturn, nvmlReturn_t>);
static_assert(same_size<int, nvmlEnableState_t> && same_size<int, nvmlIntNvLinkDeviceType_t>);
static_assert(same_size<int, nvmlGpuP2PStatus_t> && same_size<int, nvmlGpuTopologyLevel_t>);
static_assert(same_size<int, nvmlPstates_t> && same_size<int, nvmlClockType_t>);
static_assert(same_size<unsigned, nvmlAffinityScope_t>);

static_assert(same_size<NvmlPciInfo, nvmlPciInfo_t>);
static_assert(offsetof(NvmlPciInfo, domain) == offsetof(nvmlPciInfo_t, domain));
static_assert(offsetof(NvmlPciInfo, pci_device_id) == offsetof(nvmlPciInfo_t, pciDeviceId));
static_assert(offsetof(NvmlPciInfo, pci_subsystem_id) == offsetof(nvmlPciInfo_t, pciSubSystemId));
static_assert(offsetof(NvmlPciInfo, bus_id) == offsetof(nvmlPciInfo_t, busId));

static_assert(same_size<NvmlMemory, nvmlMemory_t>);
static_assert(same_size<NvmlBar1Memory, nvmlBAR1Memory_t>);
static_assert(offsetof(NvmlBar1Memory, total) == offsetof(nvmlBAR1Memory_t, bar1Total));
static_assert(same_size<NvmlUtilization, nvmlUtilization_t>);
static_assert(same_size<int, nvmlEccCounterType_t> && same_size<int, nvmlMemoryErrorType_t>);
static_assert(same_size<int, nvmlMemoryLocation_t> && same_size<int, nvmlComputeMode_t>);
#ifdef nvmlMemory_v2
static_assert(same_size<NvmlMemoryV2, nvmlMemory_v2_t> && nvml_memory_v2 == nvmlMemory_v2);
static_assert(offsetof(NvmlMemoryV2, used) == offsetof(nvmlMemory_v2_t, used));
#endif
#ifdef nvmlDeviceAddressingMode_v1
static_assert(same_size<NvmlAddressingMode, nvmlDeviceAddressingMode_t>);
static_assert(nvml_addressing_mode_v1 == nvmlDeviceAddressingMode_v1);
#endif
static_assert(same_size<NvmlFieldValue, nvmlFieldValue_t>);
static_assert(offsetof(NvmlFieldValue, scope) == offsetof(nvmlFieldValue_t, scopeId));
static_assert(offsetof(NvmlFieldValue, type) == offsetof(nvmlFieldValue_t, valueType));
static_assert(offsetof(NvmlFieldValue, result) == offsetof(nvmlFieldValue_t, nvmlReturn));
static_assert(offsetof(NvmlFieldValue, value) == offsetof(nvmlFieldValue_t, value));
static_assert(nvml_field_nvlink_speed_common == NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON);
static_assert(nvml_field_nvlink_count == NVML_FI_DEV_NVLINK_LINK_COUNT);

static_assert(nvml_field_memory_temperature == NVML_FI_DEV_MEMORY_TEMP);
static_assert(nvml_field_pcie_replays == NVML_FI_DEV_PCIE_REPLAY_COUNTER);
static_assert(nvml_field_pcie_replay_rollovers == NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER);
#ifdef NVML_FI_DEV_GET_GPU_RECOVERY_ACTION
static_assert(nvml_field_recovery_action == NVML_FI_DEV_GET_GPU_RECOVERY_ACTION);
#endif
static_assert(nvml_temperature_gpu == NVML_TEMPERATURE_GPU);
static_assert(nvml_ecc_corrected == NVML_MEMORY_ERROR_TYPE_CORRECTED);
static_assert(nvml_ecc_uncorrected == NVML_MEMORY_ERROR_TYPE_UNCORRECTED);
static_assert(nvml_ecc_volatile == NVML_VOLATILE_ECC && nvml_ecc_aggregate == NVML_AGGREGATE_ECC);
static_assert(nvml_ecc_in_dram == NVML_MEMORY_LOCATION_DRAM);
static_assert(nvml_ecc_in_sram == NVML_MEMORY_LOCATION_SRAM);
#ifdef NVML_GSP_FIRMWARE_VERSION_BUF_SIZE
static_assert(nvml_gsp_version_bytes == NVML_GSP_FIRMWARE_VERSION_BUF_SIZE);
#endif

static_assert(nvml_success == NVML_SUCCESS && nvml_not_supported == NVML_ERROR_NOT_SUPPORTED);
static_assert(nvml_invalid_argument == NVML_ERROR_INVALID_ARGUMENT);
static_assert(nvml_not_found == NVML_ERROR_NOT_FOUND && nvml_unknown == NVML_ERROR_UNKNOWN);
static_assert(nvml_driver_not_loaded == NVML_ERROR_DRIVER_NOT_LOADED);
static_assert(nvml_function_not_found == NVML_ERROR_FUNCTION_NOT_FOUND);
static_assert(nvml_gpu_is_lost == NVML_ERROR_GPU_IS_LOST);
static_assert(nvml_library_mismatch == NVML_ERROR_LIB_RM_VERSION_MISMATCH);
static_assert(nvml_clock_sm == NVML_CLOCK_SM && nvml_clock_memory == NVML_CLOCK_MEM);
#ifdef NVML_INIT_FLAG_NO_ATTACH
#endif
#ifdef NVML_AFFINITY_SCOPE_NODE
static_assert(nvml_affinity_scope_node == NVML_AFFINITY_SCOPE_NODE);
#endif
#ifdef NVML_FI_DEV_NVLINK_GET_SPEED
static_assert(nvml_field_nvlink_speed == NVML_FI_DEV_NVLINK_GET_SPEED);
#endif
#ifdef nvmlGpuFabricInfo_v2
static_assert(same_size<NvmlFabricInfo, nvmlGpuFabricInfo_t>);
static_assert(same_size<NvmlFabricInfoV, nvmlGpuFabricInfo_v2_t>);
static_assert(nvml_fabric_info_v2 == nvmlGpuFabricInfo_v2);
static_assert(offsetof(NvmlFabricInfoV, state) == offsetof(nvmlGpuFabricInfo_v2_t, state));
static_assert(offsetof(NvmlFabricInfoV, health_mask) ==
              offsetof(nvmlGpuFabricInfo_v2_t, healthMask));
#endif

TEST(NvmlAbi, DeclarationsMatchTheInstalledHeader) {
  EXPECT_EQ(nvml_return_name(NVML_ERROR_GPU_IS_LOST), "NVML_ERROR_GPU_IS_LOST");
}

}  // namespace
}  // namespace railgauge::dynlib

#else

TEST(NvmlAbi, DeclarationsMatchTheInstalledHeader) {
  GTEST_SKIP() << "skipped: no nvml.h found; set RAILGAUGE_NVML_INCLUDE";
}

#endif

namespace railgauge::dynlib {
namespace {

TEST(NvmlReturnName, UnknownNumberIsKept) {
  EXPECT_EQ(nvml_return_name(18), "NVML_ERROR_LIB_RM_VERSION_MISMATCH");
  EXPECT_EQ(nvml_return_name(77), "NVML_ERROR_77");
}

}  // namespace
}  // namespace railgauge::dynlib
