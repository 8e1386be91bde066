// Questions about one GPU.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "observe/nvml/capture.h"
#include "observe/nvml/words.h"

namespace railgauge::observe::nvml {
namespace {

using dynlib::Nvml;
using dynlib::nvml_success;
using dynlib::NvmlReturn;

// 64 CPUs or nodes a word on the machines NVML runs on; room for 4096 of them.
using BitWords = std::array<unsigned long, 64>;

template <class Fabric>
void put_fabric(Value& value, const Fabric& info) {
  std::string cluster;
  for (const unsigned char byte : info.cluster_uuid) cluster += fmt::format("{:02x}", byte);
  value.emplace("state", fabric_state_word(info.state));
  value.emplace("status", dynlib::nvml_return_name(info.status));
  value.emplace("clique", std::uint64_t{info.clique});
  value.emplace("cluster", cluster);
}

void ask_mig(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  bool enabled = false;
  questions.ask("nvmlDeviceGetMigMode", {index}, nvml.mig_mode != nullptr, [&](Value& value) {
    unsigned current = 0;
    unsigned pending = 0;
    const auto code = nvml.mig_mode(gpu.device, &current, &pending);
    enabled = code == nvml_success && current == 1;
    value.emplace("current", current == 1);
    value.emplace("pending", pending == 1);
    return code;
  });
  if (!enabled || nvml.mig_max_count == nullptr) return;
  unsigned count = 0;
  if (nvml.mig_max_count(gpu.device, &count) != nvml_success) return;
  for (unsigned i = 0; i < count && i < 16; ++i) {  // 7 instances is the most any GPU has
    dynlib::NvmlDevice mig = nullptr;
    // Places without an instance answer NVML_ERROR_NOT_FOUND, which is no news.
    if (nvml.mig_by_index == nullptr || nvml.mig_by_index(gpu.device, i, &mig) != nvml_success)
      continue;
    const std::vector<Scalar> args{index, std::uint64_t{i}, std::string("name")};
    questions.text("nvmlDeviceGetMigDeviceHandleByIndex", args, nvml.name, mig);
    questions.text("nvmlDeviceGetMigDeviceHandleByIndex",
                   {index, std::uint64_t{i}, std::string("uuid")}, nvml.uuid, mig);
  }
}

// The second form tells apart what is reserved and what is used, as nvidia-smi shows it.
void ask_memory(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  if (nvml.memory_info_v2 != nullptr) {
    const auto code = questions.ask("nvmlDeviceGetMemoryInfo_v2", {index}, true, [&](Value& v) {
      dynlib::NvmlMemoryV2 memory{};
      memory.version = dynlib::nvml_memory_v2;
      const auto got = nvml.memory_info_v2(gpu.device, &memory);
      v.emplace("total", std::uint64_t{memory.total});
      v.emplace("reserved", std::uint64_t{memory.reserved});
      v.emplace("used", std::uint64_t{memory.used});
      return got;
    });
    if (code == nvml_success) return;
  }
  questions.ask("nvmlDeviceGetMemoryInfo", {index}, nvml.memory_info != nullptr, [&](Value& v) {
    dynlib::NvmlMemory memory{};
    const auto code = nvml.memory_info(gpu.device, &memory);
    v.emplace("total", std::uint64_t{memory.total});
    v.emplace("used", std::uint64_t{memory.used});
    return code;
  });
}

}  // namespace

std::string bus_id(const dynlib::NvmlPciInfo& info) {
  if (info.bus_id[0] != '\0') return std::string(info.bus_id, strnlen(info.bus_id, 32));
  return fmt::format("{:08X}:{:02X}:{:02X}.0", info.domain, info.bus, info.device);
}

void ask_identity(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  questions.ask("nvmlDeviceGetPciInfo_v3", {index}, true, [&](Value& value) {
    dynlib::NvmlPciInfo info{};
    const auto code = nvml.pci_info(gpu.device, &info);
    value.emplace("bus_id", bus_id(info));
    value.emplace("device_id", std::uint64_t{info.pci_device_id});
    value.emplace("subsystem_id", std::uint64_t{info.pci_subsystem_id});
    return code;
  });
  questions.text("nvmlDeviceGetName", {index}, nvml.name, gpu.device);
  questions.text("nvmlDeviceGetUUID", {index}, nvml.uuid, gpu.device);
  questions.number("nvmlDeviceGetMinorNumber", {index}, nvml.minor_number, gpu.device);
  questions.ask("nvmlDeviceGetCudaComputeCapability", {index}, nvml.compute_capability != nullptr,
                [&](Value& value) {
                  int major = 0;
                  int minor = 0;
                  const auto code = nvml.compute_capability(gpu.device, &major, &minor);
                  value.emplace("major", static_cast<std::uint64_t>(major));
                  value.emplace("minor", static_cast<std::uint64_t>(minor));
                  return code;
                });
}

void ask_place(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  const auto number = [&](const char* name, NvmlReturn (*function)(dynlib::NvmlDevice, unsigned*)) {
    questions.number(name, {index}, function, gpu.device);
  };
  number("nvmlDeviceGetCurrPcieLinkGeneration", nvml.pcie_generation);
  number("nvmlDeviceGetCurrPcieLinkWidth", nvml.pcie_width);
  number("nvmlDeviceGetGpuMaxPcieLinkGeneration", nvml.pcie_gpu_max_generation);
  number("nvmlDeviceGetMaxPcieLinkGeneration", nvml.pcie_max_generation);
  number("nvmlDeviceGetMaxPcieLinkWidth", nvml.pcie_max_width);
  questions.ask("nvmlDeviceGetCpuAffinity", {index}, nvml.cpu_affinity != nullptr,
                [&](Value& value) {
                  BitWords bits{};
                  const auto code = nvml.cpu_affinity(gpu.device, bits.size(), bits.data());
                  value.emplace("", list_of_bits(bits));
                  return code;
                });
  questions.ask("nvmlDeviceGetMemoryAffinity", {index}, nvml.memory_affinity != nullptr,
                [&](Value& value) {
                  BitWords bits{};
                  const auto code = nvml.memory_affinity(gpu.device, bits.size(), bits.data(),
                                                         dynlib::nvml_affinity_scope_node);
                  value.emplace("", list_of_bits(bits));
                  return code;
                });
  number("nvmlDeviceGetNumaNodeId", nvml.numa_node);
}

void ask_fabric(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  if (nvml.fabric_info_v != nullptr) {
    const auto code = questions.ask("nvmlDeviceGetGpuFabricInfoV", {index}, true, [&](Value& v) {
      dynlib::NvmlFabricInfoV info{};
      info.version = dynlib::nvml_fabric_info_v2;
      const auto got = nvml.fabric_info_v(gpu.device, &info);
      put_fabric(v, info);
      v.emplace("health_mask", std::uint64_t{info.health_mask});
      return got;
    });
    if (code == nvml_success) return;
  }
  questions.ask("nvmlDeviceGetGpuFabricInfo", {index}, nvml.fabric_info != nullptr, [&](Value& v) {
    dynlib::NvmlFabricInfo info{};
    const auto got = nvml.fabric_info(gpu.device, &info);
    put_fabric(v, info);
    return got;
  });
}

void ask_state(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  ask_memory(questions, nvml, gpu);
  ask_mig(questions, nvml, gpu);
  questions.number("nvmlDeviceGetPerformanceState", {index}, nvml.performance_state, gpu.device);
  const auto clock = [&](const char* name, auto* function, int domain, const char* word) {
    questions.number(name, {index, std::string(word)}, function, gpu.device, domain);
  };
  clock("nvmlDeviceGetClockInfo", nvml.clock, dynlib::nvml_clock_sm, "sm");
  clock("nvmlDeviceGetClockInfo", nvml.clock, dynlib::nvml_clock_memory, "memory");
  clock("nvmlDeviceGetMaxClockInfo", nvml.max_clock, dynlib::nvml_clock_sm, "sm");
  questions.ask("nvmlDeviceGetCurrentClocksEventReasons", {index}, nvml.throttle_reasons != nullptr,
                [&](Value& value) {
                  unsigned long long reasons = 0;
                  const auto code = nvml.throttle_reasons(gpu.device, &reasons);
                  value.emplace("", throttle_words(reasons));
                  return code;
                });
}

}  // namespace railgauge::observe::nvml
