// Questions about one GPU's errors, modes, temperature and power, and about its product.
#include <array>

#include "observe/nvml/capture.h"
#include "observe/nvml/words.h"

namespace railgauge::observe::nvml {
namespace {

using dynlib::Nvml;
using dynlib::nvml_success;
using dynlib::NvmlReturn;

struct Field {
  const char* name;
  unsigned id;
};
constexpr std::array<Field, 4> fields{
    {{"NVML_FI_DEV_GET_GPU_RECOVERY_ACTION", dynlib::nvml_field_recovery_action},
     {"NVML_FI_DEV_PCIE_REPLAY_COUNTER", dynlib::nvml_field_pcie_replays},
     {"NVML_FI_DEV_PCIE_REPLAY_ROLLOVER_COUNTER", dynlib::nvml_field_pcie_replay_rollovers},
     {"NVML_FI_DEV_MEMORY_TEMP", dynlib::nvml_field_memory_temperature}}};

// All fields in one call, each with an answer of its own in the document.
void ask_fields(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  std::array<dynlib::NvmlFieldValue, fields.size()> got{};
  for (std::size_t i = 0; i < fields.size(); ++i) got[i].field = fields[i].id;
  NvmlReturn whole = dynlib::nvml_unknown;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value_of = [&](Value& value) {
      if (i == 0) whole = nvml.field_values(gpu.device, static_cast<int>(got.size()), got.data());
      value.emplace("", number_of(got[i]));
      return whole == nvml_success ? got[i].result : whole;
    };
    questions.ask("nvmlDeviceGetFieldValues",
                  {std::uint64_t{gpu.index}, std::string(fields[i].name)},
                  nvml.field_values != nullptr, value_of);
  }
}

// Whether ECC is on: without it there are no counters to ask for.
bool ask_ecc_mode(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  int current = 0;
  questions.ask("nvmlDeviceGetEccMode", {std::uint64_t{gpu.index}}, nvml.ecc_mode != nullptr,
                [&](Value& value) {
                  int pending = 0;
                  const auto code = nvml.ecc_mode(gpu.device, &current, &pending);
                  if (code != nvml_success) current = 0;
                  value.emplace("current", current == 1);
                  value.emplace("pending", pending == 1);
                  return code;
                });
  return current == 1;
}

struct Place {
  int number;
  const char* word;
  bool counted = true;  // GPUs before Ampere have no counter for SRAM as a whole
};

void ask_ecc_counters(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  std::array<Place, 2> places{
      {{dynlib::nvml_ecc_in_sram, "_sram_"}, {dynlib::nvml_ecc_in_dram, "_dram_"}}};
  for (int span = 0; const char* span_word : ecc_spans) {
    for (int kind = 0; const std::string kind_word : ecc_kinds) {
      questions.number("nvmlDeviceGetTotalEccErrors", {index, span_word + ("_total_" + kind_word)},
                       nvml.ecc_total, gpu.device, kind, span);
      for (Place& place : places)
        if (place.counted)
          place.counted =
              questions.number("nvmlDeviceGetMemoryErrorCounter",
                               {index, span_word + (place.word + kind_word)}, nvml.ecc_counter,
                               gpu.device, kind, span, place.number) == nvml_success;
      ++kind;
    }
    ++span;
  }
}

// Rows are remapped since Ampere; before, pages were retired.
void ask_repairs(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  const auto rows = questions.ask(
      "nvmlDeviceGetRemappedRows", {index}, nvml.remapped_rows != nullptr, [&](Value& value) {
        unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
        const auto code =
            nvml.remapped_rows(gpu.device, &corrected, &uncorrected, &pending, &failed);
        value.emplace("correctable", std::uint64_t{corrected});
        value.emplace("uncorrectable", std::uint64_t{uncorrected});
        value.emplace("pending", pending != 0);
        value.emplace("failed", failed != 0);
        return code;
      });
  if (rows == nvml_success) return;
  questions.ask("nvmlDeviceGetRetiredPagesPendingStatus", {index},
                nvml.retired_pages_pending != nullptr, [&](Value& value) {
                  int pending = 0;
                  const auto code = nvml.retired_pages_pending(gpu.device, &pending);
                  value.emplace("", pending == 1);
                  return code;
                });
}

void ask_modes(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  questions.ask("nvmlDeviceGetPersistenceMode", {index}, nvml.persistence_mode != nullptr,
                [&](Value& value) {
                  int mode = 0;
                  const auto code = nvml.persistence_mode(gpu.device, &mode);
                  value.emplace("", mode == 1);
                  return code;
                });
  questions.ask("nvmlDeviceGetComputeMode", {index}, nvml.compute_mode != nullptr,
                [&](Value& value) {
                  int mode = 0;
                  const auto code = nvml.compute_mode(gpu.device, &mode);
                  value.emplace("", compute_mode_word(mode));
                  return code;
                });
  questions.ask("nvmlDeviceGetAddressingMode", {index}, nvml.addressing_mode != nullptr,
                [&](Value& value) {
                  dynlib::NvmlAddressingMode mode{dynlib::nvml_addressing_mode_v1, 0};
                  const auto code = nvml.addressing_mode(gpu.device, &mode);
                  value.emplace("", addressing_mode_word(mode.mode));
                  return code;
                });
}

}  // namespace

void ask_health(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  ask_fields(questions, nvml, gpu);
  ask_repairs(questions, nvml, gpu);
  if (ask_ecc_mode(questions, nvml, gpu)) ask_ecc_counters(questions, nvml, gpu);
  questions.number("nvmlDeviceGetTemperature", {index, std::string("gpu")}, nvml.temperature,
                   gpu.device, dynlib::nvml_temperature_gpu);
  questions.number("nvmlDeviceGetPowerUsage", {index}, nvml.power_usage, gpu.device);
  questions.number("nvmlDeviceGetEnforcedPowerLimit", {index}, nvml.power_limit, gpu.device);
  questions.ask("nvmlDeviceGetUtilizationRates", {index}, nvml.utilization != nullptr,
                [&](Value& value) {
                  dynlib::NvmlUtilization rates{};
                  const auto code = nvml.utilization(gpu.device, &rates);
                  value.emplace("gpu", std::uint64_t{rates.gpu});
                  value.emplace("memory", std::uint64_t{rates.memory});
                  return code;
                });
  ask_modes(questions, nvml, gpu);
}

void ask_product(Questions& questions, const Nvml& nvml, const Gpu& gpu) {
  const std::uint64_t index = gpu.index;
  questions.text("nvmlDeviceGetVbiosVersion", {index}, nvml.vbios, gpu.device);
  questions.text("nvmlDeviceGetSerial", {index}, nvml.serial, gpu.device);
  questions.text("nvmlDeviceGetBoardPartNumber", {index}, nvml.board_part_number, gpu.device);
  questions.ask("nvmlDeviceGetGspFirmwareVersion", {index}, nvml.gsp_firmware != nullptr,
                [&](Value& value) {
                  char version[dynlib::nvml_gsp_version_bytes + 1] = {};
                  const auto code = nvml.gsp_firmware(gpu.device, version);
                  value.emplace("", std::string(version));
                  return code;
                });
  questions.ask("nvmlDeviceGetBAR1MemoryInfo", {index}, nvml.bar1_memory != nullptr,
                [&](Value& value) {
                  dynlib::NvmlBar1Memory memory{};
                  const auto code = nvml.bar1_memory(gpu.device, &memory);
                  value.emplace("total", std::uint64_t{memory.total});
                  return code;
                });
}

}  // namespace railgauge::observe::nvml
