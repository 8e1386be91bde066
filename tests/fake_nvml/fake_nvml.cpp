// A stand-in for libnvidia-ml.so.1 that answers from the description file named in the environment
// variable RAILGAUGE_FAKE_NVML (see description.h), read anew at each initialisation. What the
// description does not give is answered NVML_ERROR_NOT_SUPPORTED. Built a second time with
// RAILGAUGE_OLD_NVML it lacks the calls that drivers before 2020 did not have.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "description.h"
#include "dynlib/nvml.h"

namespace railgauge::dynlib {
struct NvmlDeviceOpaque {
  unsigned gpu = 0;
  int mig = -1;  // the instance, for a MIG device
};
}  // namespace railgauge::dynlib

namespace {

using namespace railgauge::dynlib;
using fake_nvml::Description;
using fake_nvml::to_number;
using Text = std::optional<std::string>;

// The library's own state, as NVML has it: between init and shutdown.
struct State {
  Description description;
  std::vector<NvmlDeviceOpaque> gpus;
  std::vector<NvmlDeviceOpaque> migs;  // 8 places a GPU
};
State state;

NvmlReturn start(const char* call) {
  const char* path = std::getenv("RAILGAUGE_FAKE_NVML");
  state.description.load(path == nullptr ? "" : path);
  if (const int code = state.description.error(call)) return code;
  state.gpus.clear();
  state.migs.clear();
  for (unsigned i = 0; i < state.description.number("gpus", 0); ++i) {
    state.gpus.push_back({i, -1});
    for (int m = 0; m < 8; ++m) state.migs.push_back({i, m});
  }
  return nvml_success;
}

NvmlReturn put_text(const Text& text, char* to, unsigned length) {
  if (!text) return nvml_not_supported;
  if (text->size() + 1 > length) return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  std::memcpy(to, text->c_str(), text->size() + 1);
  return nvml_success;
}

template <class Number>
NvmlReturn put_number(const Text& text, Number* to) {
  if (!text) return nvml_not_supported;
  *to = static_cast<Number>(to_number(*text));
  return nvml_success;
}

// A number of one GPU: the description's error for the call, or the value under the key.
template <class Number>
NvmlReturn gpu_number(const char* call, NvmlDevice device, const char* key, Number* to) {
  if (const int code = state.description.error(device->gpu, call)) return code;
  return put_number(state.description.of_gpu(device->gpu, key), to);
}

bool has_link(NvmlDevice device, unsigned link) {
  const Text count = state.description.of_gpu(device->gpu, "nvlinks");
  return count && link < to_number(*count);
}

template <class Number>
NvmlReturn link_number(const char* call, NvmlDevice device, unsigned link, const std::string& key,
                       Number* to) {
  if (const int code = state.description.error(device->gpu, call)) return code;
  if (!state.description.of_gpu(device->gpu, "nvlinks")) return nvml_not_supported;
  if (!has_link(device, link)) return nvml_invalid_argument;
  return put_number(state.description.of_link(device->gpu, link, key), to);
}

NvmlReturn put_pci(const Text& bus_id, const Text& ids, NvmlPciInfo* to) {
  if (!bus_id) return nvml_not_supported;
  std::memset(to, 0, sizeof *to);
  std::strncpy(to->bus_id, bus_id->c_str(), sizeof to->bus_id - 1);
  if (ids) to->pci_device_id = static_cast<unsigned>(to_number(*ids));
  return nvml_success;
}

// "0-47,96-143" as bits.
NvmlReturn put_bits(const Text& list, unsigned words, unsigned long* bits) {
  if (!list) return nvml_not_supported;
  std::memset(bits, 0, words * sizeof *bits);
  const char* at = list->c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const unsigned long first = std::strtoul(at, &end, 10);
    const unsigned long last = *end == '-' ? std::strtoul(end + 1, &end, 10) : first;
    for (unsigned long i = first; i <= last && i / 64 < words; ++i) bits[i / 64] |= 1ul << (i % 64);
    at = *end == ',' ? end + 1 : end + std::strlen(end);
  }
  return nvml_success;
}

template <class Fabric>
NvmlReturn put_fabric(const char* call, NvmlDevice device, Fabric* to) {
  unsigned fabric_state = 0;
  if (const auto code = gpu_number(call, device, "fabric.state", &fabric_state)) return code;
  to->state = static_cast<unsigned char>(fabric_state);
  gpu_number(call, device, "fabric.status", &to->status);
  gpu_number(call, device, "fabric.clique", &to->clique);
  unsigned cluster = 0;
  gpu_number(call, device, "fabric.cluster", &cluster);
  std::memset(to->cluster_uuid, static_cast<int>(cluster), sizeof to->cluster_uuid);
  return nvml_success;
}

}  // namespace

#define FAKE extern "C" __attribute__((visibility("default"))) NvmlReturn

FAKE nvmlInit_v2() { return start("nvmlInit_v2"); }
FAKE nvmlShutdown() {
  state.gpus.clear();
  return nvml_success;
}
FAKE nvmlSystemGetDriverVersion(char* to, unsigned length) {
  return put_text(state.description.text("driver"), to, length);
}
FAKE nvmlSystemGetNVMLVersion(char* to, unsigned length) {
  return put_text(state.description.text("driver"), to, length);
}
FAKE nvmlSystemGetCudaDriverVersion(int* to) {
  return put_number(state.description.text("cuda"), to);
}
FAKE nvmlDeviceGetCount_v2(unsigned* to) {
  *to = static_cast<unsigned>(state.gpus.size());
  return state.description.error("nvmlDeviceGetCount_v2");
}
FAKE nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice* to) {
  if (index >= state.gpus.size()) return nvml_invalid_argument;
  *to = &state.gpus[index];
  return static_cast<NvmlReturn>(state.description.number(
      "gpu" + std::to_string(index) + ".error.nvmlDeviceGetHandleByIndex_v2", 0));
}
FAKE nvmlDeviceGetPciInfo_v3(NvmlDevice device, NvmlPciInfo* to) {
  if (const int code = state.description.error(device->gpu, "nvmlDeviceGetPciInfo_v3")) return code;
  return put_pci(state.description.of_gpu(device->gpu, "bus"),
                 state.description.of_gpu(device->gpu, "pci_id"), to);
}
FAKE nvmlDeviceGetName(NvmlDevice device, char* to, unsigned length) {
  if (const int code = state.description.error(device->gpu, "nvmlDeviceGetName")) return code;
  const std::string key = device->mig < 0 ? "name" : "mig" + std::to_string(device->mig) + ".name";
  return put_text(state.description.of_gpu(device->gpu, key), to, length);
}
FAKE nvmlDeviceGetUUID(NvmlDevice device, char* to, unsigned length) {
  if (const int code = state.description.error(device->gpu, "nvmlDeviceGetUUID")) return code;
  const std::string key = device->mig < 0 ? "uuid" : "mig" + std::to_string(device->mig) + ".uuid";
  return put_text(state.description.of_gpu(device->gpu, key), to, length);
}

#define FAKE_NUMBER(call, type, key) \
  FAKE call(NvmlDevice device, type* to) { return gpu_number(#call, device, key, to); }
FAKE_NUMBER(nvmlDeviceGetMinorNumber, unsigned, "minor")
FAKE_NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, unsigned, "pcie.max_generation")
FAKE_NUMBER(nvmlDeviceGetMaxPcieLinkWidth, unsigned, "pcie.max_width")
FAKE_NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, unsigned, "pcie.generation")
FAKE_NUMBER(nvmlDeviceGetCurrPcieLinkWidth, unsigned, "pcie.width")
FAKE_NUMBER(nvmlDeviceGetPerformanceState, int, "p_state")
FAKE_NUMBER(nvmlDeviceGetCurrentClocksThrottleReasons, unsigned long long, "throttle")

FAKE nvmlDeviceGetCudaComputeCapability(NvmlDevice device, int* major, int* minor) {
  int capability = 0;
  const auto code =
      gpu_number("nvmlDeviceGetCudaComputeCapability", device, "capability", &capability);
  *major = capability / 10;
  *minor = capability % 10;
  return code;
}
FAKE nvmlDeviceGetMemoryInfo(NvmlDevice device, NvmlMemory* to) {
  std::memset(to, 0, sizeof *to);
  return gpu_number("nvmlDeviceGetMemoryInfo", device, "memory", &to->total);
}
FAKE nvmlDeviceGetTemperature(NvmlDevice device, int, unsigned* to) {
  return gpu_number("nvmlDeviceGetTemperature", device, "temperature", to);
}
FAKE nvmlDeviceGetEccMode(NvmlDevice device, int* current, int* pending) {
  *pending = 0;
  gpu_number("nvmlDeviceGetEccMode", device, "ecc_pending", pending);
  return gpu_number("nvmlDeviceGetEccMode", device, "ecc", current);
}
FAKE nvmlDeviceGetTotalEccErrors(NvmlDevice device, int kind, int span, unsigned long long* to) {
  const std::string key = "ecc.total" + std::to_string(span) + std::to_string(kind);
  return gpu_number("nvmlDeviceGetTotalEccErrors", device, key.c_str(), to);
}
FAKE nvmlDeviceGetMemoryErrorCounter(NvmlDevice device, int kind, int span, int place,
                                     unsigned long long* to) {
  const std::string key = (place == nvml_ecc_in_sram ? "ecc.sram" : "ecc.dram") +
                          std::to_string(span) + std::to_string(kind);
  return gpu_number("nvmlDeviceGetMemoryErrorCounter", device, key.c_str(), to);
}
FAKE nvmlDeviceGetBAR1MemoryInfo(NvmlDevice device, NvmlBar1Memory* to) {
  std::memset(to, 0, sizeof *to);
  return gpu_number("nvmlDeviceGetBAR1MemoryInfo", device, "bar1", &to->total);
}
FAKE nvmlDeviceGetUtilizationRates(NvmlDevice device, NvmlUtilization* to) {
  to->memory = 0;
  return gpu_number("nvmlDeviceGetUtilizationRates", device, "utilization", &to->gpu);
}
FAKE nvmlDeviceGetVbiosVersion(NvmlDevice device, char* to, unsigned length) {
  return put_text(state.description.of_gpu(device->gpu, "vbios"), to, length);
}
FAKE nvmlDeviceGetSerial(NvmlDevice device, char* to, unsigned length) {
  return put_text(state.description.of_gpu(device->gpu, "serial"), to, length);
}
FAKE nvmlDeviceGetBoardPartNumber(NvmlDevice device, char* to, unsigned length) {
  return put_text(state.description.of_gpu(device->gpu, "board_part_number"), to, length);
}
FAKE_NUMBER(nvmlDeviceGetPersistenceMode, int, "persistence")
FAKE_NUMBER(nvmlDeviceGetComputeMode, int, "compute_mode")
FAKE_NUMBER(nvmlDeviceGetPowerUsage, unsigned, "power")
FAKE_NUMBER(nvmlDeviceGetEnforcedPowerLimit, unsigned, "power_limit")
FAKE_NUMBER(nvmlDeviceGetRetiredPagesPendingStatus, int, "retired_pending")
FAKE nvmlDeviceGetClockInfo(NvmlDevice device, int domain, unsigned* to) {
  return gpu_number("nvmlDeviceGetClockInfo", device,
                    domain == nvml_clock_sm ? "clock.sm" : "clock.memory", to);
}
FAKE nvmlDeviceGetMaxClockInfo(NvmlDevice device, int, unsigned* to) {
  return gpu_number("nvmlDeviceGetMaxClockInfo", device, "clock.sm_max", to);
}
FAKE nvmlDeviceGetCpuAffinity(NvmlDevice device, unsigned words, unsigned long* bits) {
  return put_bits(state.description.of_gpu(device->gpu, "cpus"), words, bits);
}
FAKE nvmlDeviceGetNvLinkState(NvmlDevice device, unsigned link, int* to) {
  return link_number("nvmlDeviceGetNvLinkState", device, link, "active", to);
}
FAKE nvmlDeviceGetNvLinkVersion(NvmlDevice device, unsigned link, unsigned* to) {
  return link_number("nvmlDeviceGetNvLinkVersion", device, link, "version", to);
}
FAKE nvmlDeviceGetNvLinkRemotePciInfo_v2(NvmlDevice device, unsigned link, NvmlPciInfo* to) {
  if (!has_link(device, link)) return nvml_invalid_argument;
  return put_pci(state.description.of_link(device->gpu, link, "remote"), std::nullopt, to);
}
FAKE nvmlDeviceGetNvLinkCapability(NvmlDevice device, unsigned link, int, unsigned* to) {
  return link_number("nvmlDeviceGetNvLinkCapability", device, link, "capable", to);
}
FAKE nvmlDeviceGetNvLinkErrorCounter(NvmlDevice device, unsigned link, int counter,
                                     unsigned long long* to) {
  return link_number("nvmlDeviceGetNvLinkErrorCounter", device, link,
                     "errors" + std::to_string(counter), to);
}
FAKE nvmlDeviceGetFieldValues(NvmlDevice device, int count, NvmlFieldValue* fields) {
  for (int i = 0; i < count; ++i) {
    NvmlFieldValue& f = fields[i];
    f.type = 1;
    const Description& d = state.description;
    if (f.field == nvml_field_nvlink_count)
      f.result = put_number(d.of_gpu(device->gpu, "nvlinks"), &f.value.uint32);
    else if (f.field == nvml_field_nvlink_speed_common)
      f.result = put_number(d.of_gpu(device->gpu, "nvlink_speed"), &f.value.uint32);
    else if (f.field == nvml_field_nvlink_speed)
      f.result = put_number(d.of_link(device->gpu, f.scope, "speed"), &f.value.uint32);
    else if (f.field == nvml_field_recovery_action)
      f.result = put_number(d.of_gpu(device->gpu, "recovery"), &f.value.uint32);
    else if (f.field == nvml_field_pcie_replays)
      f.result = put_number(d.of_gpu(device->gpu, "replays"), &f.value.uint32);
    else if (f.field == nvml_field_memory_temperature)
      f.result = put_number(d.of_gpu(device->gpu, "memory_temperature"), &f.value.uint32);
    else
      f.result = nvml_invalid_argument;
  }
  return nvml_success;
}
FAKE nvmlDeviceGetP2PStatus(NvmlDevice a, NvmlDevice b, int capability, int* to) {
  if (const int code = state.description.error(a->gpu, "nvmlDeviceGetP2PStatus")) return code;
  constexpr const char* keys[] = {"p2p.read", "p2p.write", "p2p.nvlink", "p2p.atomics", "p2p.pcie"};
  return put_number(state.description.of_pair(a->gpu, b->gpu, keys[capability]), to);
}
FAKE nvmlDeviceGetTopologyCommonAncestor(NvmlDevice a, NvmlDevice b, int* to) {
  return put_number(state.description.of_pair(a->gpu, b->gpu, "ancestor"), to);
}

#ifndef RAILGAUGE_OLD_NVML

FAKE_NUMBER(nvmlDeviceGetGpuMaxPcieLinkGeneration, unsigned, "pcie.gpu_max_generation")
FAKE_NUMBER(nvmlDeviceGetNumaNodeId, unsigned, "own_node")

FAKE nvmlDeviceGetMemoryInfo_v2(NvmlDevice device, NvmlMemoryV2* to) {
  if (to->version != nvml_memory_v2) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  gpu_number("nvmlDeviceGetMemoryInfo_v2", device, "memory_used", &to->used);
  return gpu_number("nvmlDeviceGetMemoryInfo_v2", device, "memory", &to->total);
}
FAKE nvmlDeviceGetAddressingMode(NvmlDevice device, NvmlAddressingMode* to) {
  if (to->version != nvml_addressing_mode_v1) return 25;
  return gpu_number("nvmlDeviceGetAddressingMode", device, "addressing_mode", &to->mode);
}
FAKE nvmlDeviceGetGspFirmwareVersion(NvmlDevice device, char* to) {
  return put_text(state.description.of_gpu(device->gpu, "gsp"), to, nvml_gsp_version_bytes);
}
FAKE nvmlDeviceGetRemappedRows(NvmlDevice device, unsigned* corrected, unsigned* uncorrected,
                               unsigned* pending, unsigned* failed) {
  constexpr const char* call = "nvmlDeviceGetRemappedRows";
  gpu_number(call, device, "remapped.uncorrected", uncorrected);
  gpu_number(call, device, "remapped.pending", pending);
  gpu_number(call, device, "remapped.failed", failed);
  return gpu_number(call, device, "remapped.corrected", corrected);
}
FAKE nvmlDeviceGetMemoryAffinity(NvmlDevice device, unsigned words, unsigned long* bits, unsigned) {
  return put_bits(state.description.of_gpu(device->gpu, "numa"), words, bits);
}
FAKE nvmlDeviceGetNvLinkRemoteDeviceType(NvmlDevice device, unsigned link, int* to) {
  return link_number("nvmlDeviceGetNvLinkRemoteDeviceType", device, link, "remote_type", to);
}
FAKE nvmlDeviceGetGpuFabricInfoV(NvmlDevice device, NvmlFabricInfoV* to) {
  if (to->version != nvml_fabric_info_v2) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  return put_fabric("nvmlDeviceGetGpuFabricInfoV", device, to);
}
FAKE nvmlDeviceGetGpuFabricInfo(NvmlDevice device, NvmlFabricInfo* to) {
  return put_fabric("nvmlDeviceGetGpuFabricInfo", device, to);
}
FAKE nvmlDeviceGetMigMode(NvmlDevice device, unsigned* current, unsigned* pending) {
  *pending = 0;
  gpu_number("nvmlDeviceGetMigMode", device, "mig_pending", pending);
  return gpu_number("nvmlDeviceGetMigMode", device, "mig", current);
}
FAKE nvmlDeviceGetMaxMigDeviceCount(NvmlDevice, unsigned* to) {
  *to = 7;
  return nvml_success;
}
FAKE nvmlDeviceGetMigDeviceHandleByIndex(NvmlDevice device, unsigned index, NvmlDevice* to) {
  const std::string key = "mig" + std::to_string(index) + ".name";
  if (!state.description.of_gpu(device->gpu, key)) return nvml_not_found;
  *to = &state.migs[device->gpu * 8 + index];
  return nvml_success;
}

#endif
