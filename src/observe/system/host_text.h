// Texts about the host, each understood by one function, whether a recording holds it or a person
// pasted it. A function takes what it knows into the machine and says whether the text, or a part
// of it, was its own; whatever else stands around is passed over. Linear in the text.
//   limits_text(bytes, machine.sources.add("proc/self/limits", Trust::kernel), machine);
#pragma once

#include <string_view>

#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

using HostText = bool (*)(std::string_view text, model::SourceRef source, model::Machine& machine);

bool environment_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool settings_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool kernel_arguments_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool interrupts_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool limits_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool memory_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool modules_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool module_info_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool shared_memory_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool governors_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool numactl_show_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool os_release_text(std::string_view text, model::SourceRef source, model::Machine& machine);
bool nvidia_version_text(std::string_view text, model::SourceRef source, model::Machine& machine);

// The same as readers of pasted texts.
bool holds_host_text(HostText text, std::string_view bytes);
Result<model::Machine> read_host_text(HostText text, const Input& input);

template <HostText text>
bool looks_like_host_text(std::string_view bytes) {
  return holds_host_text(text, bytes);
}
template <HostText text>
Result<model::Machine> read_host_text(const Input& input) {
  return read_host_text(text, input);
}

}  // namespace railgauge::observe
