#include "base/strings.h"
#include "observe/system/environment.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

// More settings than all of these libraries together know.
constexpr std::size_t most_variables = 2000;

void read_settings(const Recording& recording, const std::string& path, model::Machine& machine) {
  const Entry* entry = recording.find(path);
  if (entry == nullptr || entry->kind == Entry::Kind::link) return;
  const auto source = machine.sources.add(path, model::Trust::kernel);
  if (entry->kind == Entry::Kind::refused)
    machine.remark(model::RemarkLevel::note, "not read: " + std::string(entry->bytes), source);
  else
    settings_text(entry->bytes, source, machine);
  for (const auto& name : recording.list("refused/" + path))
    if (const auto why = recording.text("refused/" + path + "/" + name); why.is_failed())
      machine.remark(model::RemarkLevel::note, name + " is set, but not kept: " + why.why(),
                     source);
}

// `export -p` writes export NAME="VALUE" or declare -x NAME="VALUE".
Setting unwrapped(Setting found, bool& quoted_value) {
  for (const std::string_view start : {"export ", "declare -x "})
    if (found.name.starts_with(start)) found.name.remove_prefix(start.size());
  quoted_value = false;
  if (found.value.size() < 2) return found;
  const char quote = found.value.front();
  if ((quote != '"' && quote != '\'') || found.value.back() != quote) return found;
  quoted_value = true;
  found.value = found.value.substr(1, found.value.size() - 2);
  return found;
}

}  // namespace

void read_environment(const Recording& recording, model::Machine& machine) {
  for (const char* path : {"environment.txt", "etc/nccl.conf", "home/.nccl.conf"})
    read_settings(recording, path, machine);
}

bool settings_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found_any = false;
  for (LineCursor lines(text); lines.next() && machine.variables.size() < most_variables;) {
    const auto line = setting(trim(lines.line()));
    if (!line) continue;
    const Admitted admitted = admit(line->name, line->value);
    if (admitted.admission == Admission::passed_over) continue;
    found_any = true;
    const auto here = source.at_line(lines.number());
    if (admitted.admission == Admission::taken)
      machine.variables.push_back({std::string(line->name), valid_utf8(line->value), here});
    else
      machine.remark(model::RemarkLevel::note,
                     std::string(line->name) + " is set, but not kept: " + admitted.why, here);
  }
  return found_any;
}

bool environment_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found_any = false;
  for (LineCursor lines(text); lines.next() && machine.variables.size() < most_variables;) {
    const auto line = setting(trim(lines.line()));
    if (!line) continue;
    bool quoted_value = false;
    const Setting found = unwrapped(*line, quoted_value);
    const Admitted admitted = admit(found.name, found.value);
    if (admitted.admission == Admission::passed_over) continue;
    const auto here = source.at_line(lines.number());
    // Settings before a command ("NCCL_DEBUG=INFO mpirun …") are no environment; only lists of CPUs
    // have blanks.
    if (!quoted_value && contains(found.value, " ") && found.name != "GOMP_CPU_AFFINITY") continue;
    found_any = true;
    if (admitted.admission == Admission::taken)
      machine.variables.push_back({std::string(found.name), valid_utf8(found.value), here});
    else
      machine.remark(model::RemarkLevel::note,
                     std::string(found.name) + " is set, but not kept: " + admitted.why, here);
  }
  return found_any;
}

}  // namespace railgauge::observe
