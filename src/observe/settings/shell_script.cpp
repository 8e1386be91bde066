#include "observe/settings/shell_script.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/units.h"
#include "observe/settings/dockerfile.h"
#include "observe/settings/manifest.h"
#include "observe/settings/shell_interpreter.h"
#include "observe/system/environment.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_script_bytes = 4u << 20;
constexpr std::array<std::string_view, 11> openings{"export",  "env",    "setenv",  "mpirun",
                                                    "mpiexec", "srun",   "sbatch",  "sudo",
                                                    "docker",  "podman", "torchrun"};

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(" \t"));
}

// "#!/bin/bash", "#!/usr/bin/env bash -l"
bool is_shell_line(std::string_view line) {
  if (!line.starts_with("#!")) return false;
  for (const std::string_view word : split_blank(line.substr(2))) {
    const std::string_view name = word.substr(word.rfind('/') + 1);
    if (name == "sh" || name == "bash" || name == "dash" || name == "ksh" || name == "zsh" ||
        name == "csh" || name == "tcsh")
      return true;
  }
  return false;
}

}  // namespace

bool is_shell_script(std::string_view bytes) {
  LineCursor lines(bytes.substr(0, 1u << 16));
  bool first = true;
  while (lines.next()) {
    const std::string_view line = trim(lines.line());
    if (line.empty()) continue;
    if (first && line.starts_with("#!")) return is_shell_line(line);
    first = false;
    if (line.starts_with("#SBATCH ") || line.starts_with("#PBS ") || line.starts_with("#BSUB "))
      return true;
  }
  return false;
}

namespace {

// Without the prompt of a pasted terminal, or the "+ " of a traced script.
std::string_view without_prompt(std::string_view line) {
  line = trim(line);
  while (line.starts_with("+ ") || line.starts_with("$ ") || line.starts_with("++ "))
    line = trim(line.substr(line.find(' ')));
  const std::string_view word = first_word(line);
  if (word.size() > 2 && word.ends_with('$') && contains(word, "@"))
    line = trim(line.substr(word.size()));
  return line;
}

// Whether a pasted line may set something for a program: cheap, as logs are long.
bool may_set(std::string_view line) {
  if (line.find('=') == std::string_view::npos && !line.starts_with("setenv")) return false;
  const std::string_view word = first_word(line);
  if (word.size() == line.size()) return false;
  if (std::find(openings.begin(), openings.end(), word.substr(word.rfind('/') + 1)) !=
      openings.end())
    return true;
  const auto found = setting(word);
  return found && is_wanted_name(found->name);
}

// The reader of `env` and `export -p` takes these.
bool is_environment_line(std::string_view line) {
  model::Machine scratch;
  return environment_text(line, {}, scratch);
}

// Line by line: what stands around may be anything, with quotes that nobody closes.
void pasted_settings(std::string_view text, ShellInterpreter& shell) {
  std::string joined;
  std::uint32_t begin = 0;
  for (LineCursor lines(text); lines.next();) {
    const std::string_view line = joined.empty() ? without_prompt(lines.line()) : lines.line();
    if (joined.empty() && (!may_set(line) || is_environment_line(line))) continue;
    if (joined.empty()) begin = lines.number();
    const bool more = line.ends_with('\\') && joined.size() < (1u << 16);
    joined += line;
    if (more) {
      joined += '\n';
      continue;
    }
    shell.script(joined, begin);
    joined.clear();
  }
  if (!joined.empty()) shell.script(joined, begin);
}

void read_into(std::string_view bytes, SettingSink& sink) {
  ShellInterpreter shell(sink);
  if (is_shell_script(bytes)) {
    shell.script(bytes, 1);
    shell.finish();
  } else {
    pasted_settings(bytes, shell);
  }
}

}  // namespace

bool looks_like_shell_script(std::string_view bytes) {
  if (bytes.find('\0') != std::string_view::npos) return false;
  if (is_shell_script(bytes)) return true;
  if (bytes.starts_with("#!") || looks_like_dockerfile(bytes) || looks_like_manifest(bytes))
    return false;
  model::Machine scratch;
  SettingSink sink(scratch, {});
  read_into(bytes, sink);
  return !sink.empty();
}

Result<model::Machine> read_shell_script(const Input& input) {
  if (is_shell_script(input.bytes) && input.bytes.size() > longest_script_bytes)
    return fail(ErrorKind::limit, input.name + ": longer than any script we read (" +
                                      text_of_bytes(longest_script_bytes) + ")");
  model::Machine machine;
  machine.name = input.name;
  SettingSink sink(machine, machine.sources.add(input.name, model::Trust::tool));
  read_into(input.bytes, sink);
  if (sink.empty()) sink.note("no setting of NCCL, UCX or the like in this script", 0);
  sink.finish();
  return machine;
}

void shell_settings(std::string_view text, std::uint32_t first_line, SettingSink& sink) {
  ShellInterpreter(sink, ShellInterpreter::Notes::none).script(text, first_line);
}

}  // namespace railgauge::observe
