#include <fmt/format.h>

#include "base/strings.h"
#include "observe/nvml/reading_state.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace nvml {
namespace {

using model::RemarkLevel;

bool read_host_answer(ReadingState& state, const Answer& answer) {
  model::HostFacts& host = state.machine.host;
  if (answer.call == "nvmlSystemGetDriverVersion") {
    state.put(host.driver, answer, answer.word());
  } else if (answer.call == "nvmlSystemGetCudaDriverVersion_v2") {
    // 13000 is CUDA 13.0, 12080 is 12.8.
    std::optional<std::string> cuda;
    if (const auto number = bounded(answer.number(), 1'000'000); number && *number >= 1000)
      cuda = fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
    state.put(host.cuda, answer, std::move(cuda));
  } else {
    // The library's own version says nothing that the driver's does not; the count is repeated by
    // the handles.
    return answer.call == "nvmlSystemGetNVMLVersion" || answer.call == "nvmlDeviceGetCount_v2";
  }
  return true;
}

void read_answers(ReadingState& state, const Document& document) {
  std::set<std::string> unknown;
  for (const Answer& answer : document.answers) {
    if (!answer.error.empty()) state.note_error(answer);
    if (read_host_answer(state, answer) || read_gpu_answer(state, answer) ||
        read_health_answer(state, answer) || read_link_answer(state, answer) ||
        read_pair_answer(state, answer))
      continue;
    if (unknown.size() < 20 && unknown.insert(answer.call).second)
      state.machine.remark(
          RemarkLevel::note,
          "a call with these arguments is not read: " + railgauge::quoted(answer.source()),
          state.source(answer));
  }
}

}  // namespace
}  // namespace nvml

Result<model::Machine> read_nvml(const Recording& recording) {
  const Entry* entry = recording.find("nvml.json");
  if (entry == nullptr) return fail(ErrorKind::not_found, "the recording has no nvml.json");
  if (entry->kind != Entry::Kind::file)
    return fail(ErrorKind::input, "nvml.json is not a file: " + std::string(entry->bytes));
  const auto document = nvml::parse_document(entry->bytes);
  if (!document) return tl::unexpected(document.error());
  model::Machine machine;
  const auto file = machine.sources.add("nvml.json", model::Trust::driver);
  if (!document->not_loaded.empty())
    machine.remark(
        model::RemarkLevel::warning,
        "an NVIDIA driver is here but NVML cannot be used, so nothing is known from it: " +
            document->not_loaded,
        file);
  if (!document->stopped.empty())
    machine.remark(model::RemarkLevel::warning,
                   "NVML was not asked everything: " + document->stopped, file);
  for (const std::string& odd : document->oddities)
    machine.remark(model::RemarkLevel::warning, "nvml.json: " + odd, file);
  nvml::ReadingState state(machine);
  nvml::read_answers(state, *document);
  nvml::finish_links(state);
  return machine;
}

}  // namespace railgauge::observe
