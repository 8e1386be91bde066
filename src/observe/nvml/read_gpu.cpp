// Answers about one GPU.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "observe/nvml/reading_state.h"
#include "observe/nvml/words.h"

namespace railgauge::observe::nvml {
namespace {

using model::Device;
using model::PcieSpeed;

std::optional<model::PciId> pci_id(std::optional<std::uint64_t> number) {
  if (!number || *number > 0xffffffff) return std::nullopt;
  return model::PciId{static_cast<std::uint16_t>(*number & 0xffff),
                      static_cast<std::uint16_t>(*number >> 16)};
}

std::optional<PcieSpeed> speed(const Answer& answer) {
  const auto generation = bounded(answer.number(), 99);
  return generation ? PcieSpeed::of_generation(*generation) : std::nullopt;
}

std::optional<int> width(const Answer& answer) {
  const auto lanes = bounded(answer.number(), 32);
  return lanes && *lanes > 0 ? lanes : std::nullopt;
}

void read_pci_info(ReadingState& s, Device& d, const Answer& a) {
  std::optional<model::PciAddress> address;
  if (const auto text = a.word("bus_id")) address = model::PciAddress::parse(*text);
  s.put(d.address, a, address);
  s.put(d.pci->id, a, pci_id(a.number("device_id")));
  // Zero where the board maker set none.
  if (a.number("subsystem_id") != std::uint64_t{0})
    s.put(d.pci->subsystem, a, pci_id(a.number("subsystem_id")));
}

void read_handle(ReadingState&, Device&, const Answer&) {}  // that it exists is all it says
void read_name(ReadingState& s, Device& d, const Answer& a) { s.put(d.name, a, a.word()); }
void read_uuid(ReadingState& s, Device& d, const Answer& a) { s.put(d.gpu->uuid, a, a.word()); }
void read_minor(ReadingState& s, Device& d, const Answer& a) {
  if (a.number()) s.attribute(d, "nvidia_minor", std::to_string(*a.number()), a);
}
void read_capability(ReadingState& s, Device& d, const Answer& a) {
  std::optional<int> capability;
  const auto major = bounded(a.number("major"), 99);
  const auto minor = bounded(a.number("minor"), 9);
  if (major && minor) capability = *major * 10 + *minor;
  s.put(d.gpu->compute_capability, a, capability);
}
void read_memory(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->memory_bytes, a, a.number("total"));
}
// Only the second form counts what is reserved apart, so only its "used" is what a user took.
void read_memory_v2(ReadingState& s, Device& d, const Answer& a) {
  read_memory(s, d, a);
  s.put(d.gpu->memory_used_bytes, a, a.number("used"));
}

void read_speed(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.pci->link.current_speed, a, speed(a));
}
void read_width(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.pci->link.current_width, a, width(a));
}
void read_gpu_max_speed(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.pci->link.max_speed, a, speed(a));
}
// What GPU and slot together can do: not a property of the GPU, so it has no field.
void read_slot_speed(ReadingState& s, Device& d, const Answer& a) {
  if (const auto rate = speed(a)) s.attribute(d, "pcie_max_with_slot", rate->text(), a);
}
// NVML documents this as the most that GPU and slot can do, so a narrow slot would pass for a
// narrow GPU: inferred.
void read_max_width(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.pci->link.max_width, a, width(a), model::Trust::inferred);
}

void read_cpus(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->cpu_affinity, a, a.word());
}
void read_memory_affinity(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->numa_affinity, a, a.word());
  if (!a.word()) return;
  const auto nodes = numbers_of_list(*a.word(), 2);
  if (nodes.size() == 1) s.put(d.numa_node, a, std::optional(nodes.front()));
}
void read_own_node(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->gpu_numa_id, a, bounded(a.number(), 1 << 20));
}

void read_fabric(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->fabric_state, a, a.word("state"));
  if (!a.error.empty() || !a.word("state")) return;
  auto status = a.word("status");
  if (status == "NVML_SUCCESS") status = "success";
  // NVML: the status means something only once the probe is completed.
  if (a.word("state") == "completed") s.put(d.gpu->fabric_status, a, status);
  const auto cluster = a.word("cluster");
  const bool named = cluster && std::any_of(cluster->begin(), cluster->end(),
                                            [](char c) { return c != '0' && c != '-'; });
  // All zeros outside a multi-node NVLink domain.
  if (named && a.number("clique"))
    s.put(d.gpu->fabric_cluster, a,
          std::optional(fmt::format("{} clique {}", *cluster, *a.number("clique"))));
  if (a.number("health_mask").value_or(0) != 0)
    s.attribute(d, "fabric_health_mask", fmt::format("{:#x}", *a.number("health_mask")), a);
}

void read_mig_mode(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->mig_enabled, a, a.flag("current"));
  if (a.flag("pending") && a.flag("current") != a.flag("pending"))
    s.attribute(d, "mig_pending", *a.flag("pending") ? "enabled" : "disabled", a);
}
// Name and UUID of one instance come as two answers, name first.
void read_mig_device(ReadingState& s, Device& d, const Answer& a) {
  if (!a.error.empty()) return;
  auto& list = d.gpu->mig_devices;
  if (!a.word()) return s.odd_value(a);
  if (a.arg_word(2) == "uuid" && !list.empty())
    list.back() += " (" + *a.word() + ")";
  else
    list.push_back(*a.word());
}

void read_p_state(ReadingState& s, Device& d, const Answer& a) {
  std::optional<std::string> state;
  // 32 is NVML_PSTATE_UNKNOWN.
  if (const auto number = bounded(a.number(), 15)) state = fmt::format("P{}", *number);
  s.put(d.gpu->p_state, a, state);
}
void read_clock(ReadingState& s, Device& d, const Answer& a) {
  auto& fact = a.arg_word(1) == "sm" ? d.gpu->sm_clock_mhz : d.gpu->memory_clock_mhz;
  s.put(fact, a, bounded(a.number(), 1'000'000));
}
void read_max_clock(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->sm_clock_max_mhz, a, bounded(a.number(), 1'000'000));
}
void read_throttle(ReadingState& s, Device& d, const Answer& a) {
  std::optional<std::vector<std::string>> reasons;
  if (const auto words = a.word()) {
    reasons.emplace();
    for (const auto word : split(*words, ','))
      if (!word.empty()) reasons->emplace_back(word);
  }
  s.put(d.gpu->throttle_reasons, a, std::move(reasons));
}

struct Handler {
  std::string_view call;
  void (*read)(ReadingState&, Device&, const Answer&);
};
constexpr Handler handlers[] = {
    {"nvmlDeviceGetHandleByIndex_v2", read_handle},
    {"nvmlDeviceGetPciInfo_v3", read_pci_info},
    {"nvmlDeviceGetName", read_name},
    {"nvmlDeviceGetUUID", read_uuid},
    {"nvmlDeviceGetMinorNumber", read_minor},
    {"nvmlDeviceGetCudaComputeCapability", read_capability},
    {"nvmlDeviceGetMemoryInfo", read_memory},
    {"nvmlDeviceGetMemoryInfo_v2", read_memory_v2},
    {"nvmlDeviceGetCurrPcieLinkGeneration", read_speed},
    {"nvmlDeviceGetCurrPcieLinkWidth", read_width},
    {"nvmlDeviceGetGpuMaxPcieLinkGeneration", read_gpu_max_speed},
    {"nvmlDeviceGetMaxPcieLinkGeneration", read_slot_speed},
    {"nvmlDeviceGetMaxPcieLinkWidth", read_max_width},
    {"nvmlDeviceGetCpuAffinity", read_cpus},
    {"nvmlDeviceGetMemoryAffinity", read_memory_affinity},
    {"nvmlDeviceGetNumaNodeId", read_own_node},
    {"nvmlDeviceGetGpuFabricInfoV", read_fabric},
    {"nvmlDeviceGetGpuFabricInfo", read_fabric},
    {"nvmlDeviceGetMigMode", read_mig_mode},
    {"nvmlDeviceGetMigDeviceHandleByIndex", read_mig_device},
    {"nvmlDeviceGetPerformanceState", read_p_state},
    {"nvmlDeviceGetClockInfo", read_clock},
    {"nvmlDeviceGetMaxClockInfo", read_max_clock},
    {"nvmlDeviceGetCurrentClocksEventReasons", read_throttle},
};

}  // namespace

bool read_gpu_answer(ReadingState& state, const Answer& answer) {
  const auto* found = std::find_if(std::begin(handlers), std::end(handlers),
                                   [&](const Handler& h) { return h.call == answer.call; });
  if (found == std::end(handlers)) return false;
  model::Device* device = state.gpu(answer);
  if (device == nullptr) return false;
  found->read(state, *device, answer);
  return true;
}

}  // namespace railgauge::observe::nvml
