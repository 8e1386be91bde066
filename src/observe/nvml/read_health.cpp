// Answers about one GPU's errors, modes, temperature and power, and about its product.
#include <span>

#include "observe/nvml/reading_state.h"
#include "observe/nvml/words.h"

namespace railgauge::observe::nvml {
namespace {

using model::Device;

constexpr std::size_t counters_max = 64;  // NVML has 12 ECC counters that we ask for

template <auto member>
void read_word(ReadingState& s, Device& d, const Answer& a) {
  // Boards without an entry in their information ROM answer with an empty text.
  if (a.error.empty() && a.word() == "")
    return ((*d.gpu).*member).refuse(a.source() + " gave an empty text", s.source(a));
  s.put((*d.gpu).*member, a, a.word());
}
template <auto member>
void read_flag(ReadingState& s, Device& d, const Answer& a) {
  s.put((*d.gpu).*member, a, a.flag());
}
template <auto member>
void read_milliwatts(ReadingState& s, Device& d, const Answer& a) {
  std::optional<double> watts;
  if (const auto number = a.number(); number && *number < 1'000'000'000)
    watts = static_cast<double>(*number) / 1000;
  s.put((*d.gpu).*member, a, watts);
}

void read_temperature(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->temperature_celsius, a, bounded(a.number(), 1000));
}
void read_utilization(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->utilization_percent, a, bounded(a.number("gpu"), 100));
}
void read_bar1(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->bar1_bytes, a, a.number("total"));
}

void read_ecc_mode(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->ecc_enabled, a, a.flag("current"));
  if (a.flag("pending") && a.flag("current") != a.flag("pending"))
    s.attribute(d, "ecc_pending", *a.flag("pending") ? "enabled" : "disabled", a);
}
void read_ecc_counter(ReadingState& s, Device& d, const Answer& a) {
  const auto name = a.arg_word(1);
  if (!name || name->empty() || name->size() > 64 || d.gpu->ecc_errors.size() >= counters_max)
    return s.odd_value(a);
  s.put(d.gpu->ecc_errors[*name].value, a, a.number());
}

void read_remapped(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->remapped_rows_correctable, a, bounded(a.number("correctable"), 1u << 30));
  s.put(d.gpu->remapped_rows_uncorrectable, a, bounded(a.number("uncorrectable"), 1u << 30));
  s.put(d.gpu->remapping_pending, a, a.flag("pending"));
  s.put(d.gpu->remapping_failed, a, a.flag("failed"));
}
void read_retired(ReadingState& s, Device& d, const Answer& a) {
  if (a.flag()) s.attribute(d, "retired_pages_pending", *a.flag() ? "Yes" : "No", a);
}

struct Handler {
  std::string_view name;
  void (*read)(ReadingState&, Device&, const Answer&);
};
constexpr Handler handlers[] = {
    {"nvmlDeviceGetVbiosVersion", read_word<&model::GpuFacts::vbios>},
    {"nvmlDeviceGetSerial", read_word<&model::GpuFacts::serial>},
    {"nvmlDeviceGetBoardPartNumber", read_word<&model::GpuFacts::board_part_number>},
    {"nvmlDeviceGetGspFirmwareVersion", read_word<&model::GpuFacts::gsp_firmware>},
    {"nvmlDeviceGetComputeMode", read_word<&model::GpuFacts::compute_mode>},
    {"nvmlDeviceGetAddressingMode", read_word<&model::GpuFacts::addressing_mode>},
    {"nvmlDeviceGetPersistenceMode", read_flag<&model::GpuFacts::persistence_mode>},
    {"nvmlDeviceGetBAR1MemoryInfo", read_bar1},
    {"nvmlDeviceGetTemperature", read_temperature},
    {"nvmlDeviceGetPowerUsage", read_milliwatts<&model::GpuFacts::power_watts>},
    {"nvmlDeviceGetEnforcedPowerLimit", read_milliwatts<&model::GpuFacts::power_limit_watts>},
    {"nvmlDeviceGetUtilizationRates", read_utilization},
    {"nvmlDeviceGetEccMode", read_ecc_mode},
    {"nvmlDeviceGetTotalEccErrors", read_ecc_counter},
    {"nvmlDeviceGetMemoryErrorCounter", read_ecc_counter},
    {"nvmlDeviceGetRemappedRows", read_remapped},
    {"nvmlDeviceGetRetiredPagesPendingStatus", read_retired},
};

void read_recovery(ReadingState& s, Device& d, const Answer& a) {
  std::optional<std::string> action;
  if (const auto number = a.number()) action = recovery_action_word(*number);
  s.put(d.gpu->recovery_action, a, action);
}
void read_replays(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->pcie_errors["replays"].value, a, a.number());
}
void read_rollovers(ReadingState& s, Device& d, const Answer& a) {
  s.put(d.gpu->pcie_errors["replay_rollovers"].value, a, a.number());
}
void read_memory_temperature(ReadingState& s, Device& d, const Answer& a) {
  // 0 is what GPUs without a sensor in their memory answer, without an error.
  if (a.error.empty() && a.number() == std::uint64_t{0})
    return d.gpu->memory_temperature_celsius.refuse(a.source() + " gave 0: no sensor", s.source(a));
  s.put(d.gpu->memory_temperature_celsius, a, bounded(a.number(), 1000));
}

constexpr Handler fields[] = {
    {"NVML_FI_DEV_GET_GPU_RECOVERY_ACTION", read_recovery},
    {"NVML_FI_DEV_PCIE_REPLAY_COUNTER", read_replays},
    {"NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER", read_rollovers},
    {"NVML_FI_DEV_MEMORY_TEMP", read_memory_temperature},
};

}  // namespace

bool read_health_answer(ReadingState& state, const Answer& answer) {
  const bool field = answer.call == "nvmlDeviceGetFieldValues";
  const std::string name = field ? answer.arg_word(1).value_or("") : answer.call;
  for (const Handler& handler : field ? std::span<const Handler>(fields) : handlers) {
    if (handler.name != name) continue;
    Device* device = state.gpu(answer);
    if (device == nullptr) return false;
    handler.read(state, *device, answer);
    return true;
  }
  return false;
}

}  // namespace railgauge::observe::nvml
