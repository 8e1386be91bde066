#include "observe/nvml/reading_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/nvml/capture.h"

namespace railgauge::observe::nvml {
namespace {

using model::RemarkLevel;

struct ErrorWords {
  std::string_view error;
  const char* words;
  // Nothing for errors that only mean "there is no such thing here".
  std::optional<RemarkLevel> level;
};

constexpr std::array<ErrorWords, 8> error_words{{
    {"NVML_ERROR_NOT_SUPPORTED", "not supported by this GPU or driver", std::nullopt},
    {"NVML_ERROR_FUNCTION_NOT_FOUND", "the installed driver does not have this call", std::nullopt},
    {"NVML_ERROR_INVALID_ARGUMENT", "the driver refused the arguments", std::nullopt},
    {"NVML_ERROR_NOT_FOUND", "not found", std::nullopt},
    {"NVML_ERROR_NO_PERMISSION", "not permitted for this user", RemarkLevel::note},
    {"NVML_ERROR_GPU_IS_LOST", "the GPU has fallen off the bus or is inaccessible",
     RemarkLevel::error},
    {"NVML_ERROR_RESET_REQUIRED", "the GPU must be reset before it can be used",
     RemarkLevel::error},
    {"NVML_ERROR_LIB_RM_VERSION_MISMATCH", "kernel module and library differ in version",
     RemarkLevel::error},
}};

const ErrorWords* words_of(std::string_view error) {
  const auto found = std::find_if(error_words.begin(), error_words.end(),
                                  [&](const ErrorWords& e) { return e.error == error; });
  return found == error_words.end() ? nullptr : &*found;
}

}  // namespace

std::optional<int> bounded(std::optional<std::uint64_t> number, std::uint64_t most) {
  if (!number || *number > most) return std::nullopt;
  return static_cast<int>(*number);
}

model::Device* ReadingState::gpu(const Answer& answer) {
  const auto index = answer.arg_number(0);
  if (!index || *index >= most_gpus) return nullptr;
  const auto found = gpus_.find(*index);
  if (found != gpus_.end()) return &machine[found->second];
  const model::DeviceId id = machine.add(model::DeviceKind::gpu, source(answer));
  gpus_.emplace(*index, id);
  machine[id].index.claim(static_cast<int>(*index), source(answer));
  machine[id].pci.emplace();
  return &machine[id];
}

std::optional<model::DeviceId> ReadingState::gpu_id(std::uint64_t index) const {
  const auto found = gpus_.find(index);
  return found == gpus_.end() ? std::nullopt : std::optional(found->second);
}

model::NvLinkPort* ReadingState::link(const Answer& answer) {
  model::Device* device = gpu(answer);
  const auto number = bounded(answer.arg_number(1), most_links - 1);
  if (device == nullptr || !number) return nullptr;
  auto& ports = device->gpu->nvlinks;
  const auto at = std::lower_bound(ports.begin(), ports.end(), *number,
                                   [](const auto& port, int n) { return port.number < n; });
  if (at != ports.end() && at->number == *number) return &*at;
  model::NvLinkPort port;
  port.number = *number;
  return &*ports.insert(at, std::move(port));
}

model::SourceRef ReadingState::source(const Answer& answer, model::Trust trust) {
  return machine.sources.add(answer.source(), trust);
}

std::string ReadingState::refusal(const Answer& answer) const {
  const ErrorWords* known = words_of(answer.error);
  return answer.source() + ": " +
         (known == nullptr ? answer.error : fmt::format("{} ({})", known->words, answer.error));
}

void ReadingState::attribute(model::Device& device, std::string key, std::string value,
                             const Answer& answer) {
  device.attributes.push_back({std::move(key), std::move(value), source(answer)});
}

void ReadingState::odd_value(const Answer& answer) {
  machine.remark(RemarkLevel::warning, answer.source() + " gave a value that is not understood",
                 source(answer));
}

void ReadingState::note_error(const Answer& answer) {
  const ErrorWords* known = words_of(answer.error);
  if (known != nullptr && !known->level) return;
  const auto index = answer.arg_number(0);
  if (!noted_.emplace(index.value_or(most_gpus), answer.error).second) return;
  const std::string subject = index ? fmt::format("GPU {}: ", *index) : std::string();
  machine.remark(known == nullptr ? RemarkLevel::warning : *known->level, subject + refusal(answer),
                 source(answer));
}

}  // namespace railgauge::observe::nvml
