#include "observe/settings/shell_interpreter.h"

#include <algorithm>
#include <array>

#include "base/base_name.h"
#include "base/strings.h"
#include "observe/system/environment.h"

namespace railgauge::observe {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 17> prefixes{
    "then", "do",      "else",    "elif",   "if",   "while", "until", "!", "time",
    "{",    "command", "builtin", "noglob", "exec", "nohup", "+",     "++"};
constexpr std::array<std::string_view, 12> printers{
    "echo", "printf", "grep", "egrep", "fgrep", "sed", "awk", "[", "[[", "test", "for", "case"};
constexpr std::array<std::string_view, 19> programs{
    "srun",    "sbatch",      "salloc",    "mpirun", "mpiexec",  "orterun", "prun",
    "jsrun",   "aprun",       "torchrun",  "python", "python3",  "docker",  "podman",
    "kubectl", "singularity", "apptainer", "enroot", "deepspeed"};

bool among(Names names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool is_assignment(std::string_view word) {
  const auto found = setting(word);
  return found && is_variable_name(found->name);
}

// "$", "#" and "user@host:~$" of a pasted terminal.
bool is_prompt(const ShellWord& word) {
  return !word.quoted && (word.text == "$" || (word.text.size() > 1 && word.text.ends_with('$') &&
                                               contains(word.text, "@")));
}

bool starts_program(std::string_view name) {
  return among(programs, name) || name.ends_with("_perf") || name.starts_with("mpirun") ||
         name.starts_with("python");
}

}  // namespace

void ShellInterpreter::script(std::string_view text, std::uint32_t first_line) {
  const ShellText cut = shell_commands(text, first_line);
  for (const ShellCommand& one : cut.commands) command(one);
  if (notes_ == Notes::none) return;
  if (cut.open_quote_line != 0)
    sink_.note("a quote that opens here is never closed; what follows may be misread",
               cut.open_quote_line);
  if (cut.cut) sink_.note("longer than any script we read; the rest is passed over", first_line);
}

void ShellInterpreter::command(const ShellCommand& command) {
  std::vector<ShellWord> expanded = command.words;
  for (ShellWord& word : expanded) word.text = variables_.expand(word.text);
  Words all(expanded);
  while (!all.empty() && ((!all[0].quoted && among(prefixes, all[0].text)) ||
                          is_prompt(command.words[expanded.size() - all.size()])))
    all = all.subspan(1);
  words(all);
}

void ShellInterpreter::words(Words all) {
  while (true) {
    std::size_t count = 0;
    while (count < all.size() && is_assignment(all[count].text)) ++count;
    if (count == all.size()) {
      for (const ShellWord& word : all) assign(word);
      return;
    }
    const std::string_view name = base_name(all[count].text);
    const Words rest = all.subspan(count + 1);
    for (const ShellWord& word : all.first(count)) take(word.text, word.line);
    if (name != "env" && name != "sudo") return run(name, rest, count > 0);
    all = environment(rest);
    if (all.empty()) return;
  }
}

void ShellInterpreter::run(std::string_view name, Words rest, bool has_settings) {
  const bool declares = name == "declare" || name == "typeset";
  if (name == "export" ||
      (declares && !rest.empty() && rest[0].text.starts_with('-') && contains(rest[0].text, "x")))
    return exported(rest);
  if (declares || name == "local" || name == "readonly") {
    for (const ShellWord& word : rest)
      if (is_assignment(word.text)) assign(word);
    return;
  }
  if (name == "setenv") {
    if (rest.size() >= 2) take(rest[0].text + "=" + rest[1].text, rest[0].line);
    return;
  }
  if (name == "unset" || name == "unsetenv") return unset(rest);
  if (name == "set") return set_options(rest);
  if (among(printers, name)) return;
  if (starts_program(name) || has_settings) sink_.launched();
  launch(name, rest);
}

void ShellInterpreter::assign(const ShellWord& word) {
  const Setting found = *setting(word.text);
  variables_.set(found.name, std::string(found.value));
  if (all_exported_ || exported_.contains(found.name)) {
    take(word.text, word.line);
  } else if (is_wanted_name(found.name) && pending_.size() < 2000) {
    pending_[std::string(found.name)] = {std::string(found.value), word.line};
  }
}

void ShellInterpreter::exported(Words rest) {
  for (const ShellWord& word : rest) {
    if (word.text == "-n") return;
    if (is_assignment(word.text)) {
      const Setting found = *setting(word.text);
      variables_.set(found.name, std::string(found.value));
      take(word.text, word.line);
    }
    const std::string name(word.text.substr(0, word.text.find('=')));
    if (!is_wanted_name(name)) continue;
    if (exported_.size() < 2000) exported_.insert(name);
    if (const auto at = pending_.find(name); at != pending_.end()) {
      if (!is_assignment(word.text)) sink_.take(name, at->second.value, at->second.line);
      pending_.erase(at);
    }
  }
}

void ShellInterpreter::unset(Words rest) {
  for (const ShellWord& word : rest) {
    sink_.unset(word.text);
    variables_.forget(word.text);
    pending_.erase(word.text);
    exported_.erase(word.text);
  }
}

void ShellInterpreter::set_options(Words rest) {
  for (const ShellWord& word : rest) {
    if (word.text == "allexport" || (word.text.starts_with('-') && contains(word.text, "a")))
      all_exported_ = true;
    if (word.text.starts_with('+') && contains(word.text, "a")) all_exported_ = false;
  }
}

ShellInterpreter::Words ShellInterpreter::environment(Words rest) {
  while (!rest.empty()) {
    if (rest[0].text == "-u" && rest.size() > 1) {
      rest = rest.subspan(2);
    } else if (is_assignment(rest[0].text)) {
      take(rest[0].text, rest[0].line);
      rest = rest.subspan(1);
    } else if (rest[0].text.starts_with('-')) {
      rest = rest.subspan(1);
    } else {
      break;
    }
  }
  return rest;
}

// Slurm's list cannot hold a value with a comma, and neither can we.
void ShellInterpreter::export_option(std::string_view list, std::uint32_t line) {
  for (const std::string_view part : split(list, ',')) take(part, line);
}

void ShellInterpreter::launch(std::string_view program, Words rest) {
  const bool slurm =
      program == "srun" || program == "sbatch" || program == "salloc" || program == "#SBATCH";
  for (std::size_t i = 0; i < rest.size();) {
    const std::string_view word = rest[i].text;
    if (slurm && word.starts_with("--export=")) {
      export_option(word.substr(9), rest[i].line);
      ++i;
    } else if (slurm && word == "--export" && i + 1 < rest.size()) {
      export_option(rest[i + 1].text, rest[i + 1].line);
      i += 2;
    } else {
      i += option(rest, i);
    }
  }
}

std::size_t ShellInterpreter::option(Words rest, std::size_t at) {
  const std::string_view word = rest[at].text;
  const bool more = at + 1 < rest.size();
  if (word.starts_with("--env=")) {
    export_option(word.substr(6), rest[at].line);
    return 1;
  }
  if (!more) return 1;
  const ShellWord& next = rest[at + 1];
  if (word == "-x" || word == "-e" || word == "--env" || word == "-genv" || word == "-env") {
    if (take(next.text, next.line)) return 2;
    if (word.ends_with("env") && at + 2 < rest.size() && is_variable_name(next.text) &&
        take(next.text + "=" + rest[at + 2].text, next.line))
      return 3;
    return 1;
  }
  if (word == "env") {
    const Words left = environment(rest.subspan(at + 1));
    return rest.size() - at - left.size();
  }
  if ((word == "-c" || word == "-lc" || word == "-ec") && next.quoted && depth_ < 3) {
    ++depth_;
    script(next.text, next.line);
    --depth_;
    return 2;
  }
  return 1;
}

bool ShellInterpreter::take(std::string_view text, std::uint32_t line) {
  const auto found = setting(text);
  return found && sink_.take(trim(found->name), found->value, line);
}

void ShellInterpreter::finish() {
  for (const auto& [name, pending] : pending_)
    sink_.note(name + " is set but never exported: programs that the script starts do not see it",
               pending.line);
  pending_.clear();
}

}  // namespace railgauge::observe
