// railgauge completions SHELL: from the table of verbs.
#include <fmt/format.h>

#include "apps/railgauge/output.h"
#include "apps/railgauge/verb.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

std::vector<OptionSpec> options_of(const VerbSpec& verb) {
  std::vector<OptionSpec> all = verb.options;
  all.insert(all.end(), common_options().begin(), common_options().end());
  all.push_back({"-h,--help", "", "Help for this verb", {}});
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string flags_of(const VerbSpec& verb) {
  std::string out;
  for (const OptionSpec& option : options_of(verb))
    for (const auto flag : split(option.flags, ','))
      out += (out.empty() ? "" : " ") + std::string(flag);
  return out;
}

std::string verb_names() {
  std::vector<std::string> names;
  for (const VerbSpec& verb : verbs()) names.push_back(verb.name);
  return joined(names);
}

const std::vector<std::string>& words_of(const OptionSpec& option) {
  return option.choices.empty() ? option.suggestions : option.choices;
}

// What follows an option that takes a value; without a line it would be an INPUT.
std::string bash_values(const OptionSpec& option) {
  if (option.value.empty() || option.count != 1) return "";
  std::string flags = option.flags;
  for (char& c : flags)
    if (c == ',') c = '|';
  const std::string words = joined(words_of(option));
  std::string how;
  if (option.listed)  // the word after the last comma; what stands before it is kept
    how = fmt::format(
        "local kept=\"\"; [[ \"$word\" == *,* ]] && kept=\"${{word%,*}},\"; "
        "compopt -o nospace 2>/dev/null; "
        "COMPREPLY=($(compgen -P \"$kept\" -W \"{}\" -- \"${{word##*,}}\"));",
        words);
  else if (!words.empty())
    how = fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$word\"));", words);
  else if (option.completes == Completes::files)
    how = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$word\"));";
  return fmt::format("        {}) {} return;;\n", flags, how);
}

std::string bash() {
  std::string out =
      "# bash completion for railgauge; load with: source <(railgauge completions bash)\n"
      "_railgauge() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  out += fmt::format(
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n    return\n  fi\n",
      verb_names());
  out += "  case \"${COMP_WORDS[1]}\" in\n";
  for (const VerbSpec& verb : verbs()) {
    out += fmt::format("    {})\n      case \"$before\" in\n", verb.name);
    for (const OptionSpec& option : options_of(verb)) out += bash_values(option);
    out += "      esac\n";
    out += fmt::format(
        "      if [[ \"$word\" == -* ]]; then\n        COMPREPLY=($(compgen -W \"{}\" -- "
        "\"$word\"))\n",
        flags_of(verb));
    if (!verb.positional.choices.empty())
      out += fmt::format("      else\n        COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n",
                         joined(verb.positional.choices));
    else if (verb.positional.completes == Completes::files)
      out +=
          "      else\n        compopt -o filenames 2>/dev/null\n"
          "        COMPREPLY=($(compgen -f -- \"$word\"))\n";
    out += "      fi;;\n";
  }
  return out + "  esac\n}\ncomplete -F _railgauge railgauge\n";
}

// Inside single quotes of zsh's _arguments, where brackets and colons have a meaning.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_action(const OptionSpec& option) {
  if (option.listed) return "_values -s , " + lower(option.value) + " " + joined(words_of(option));
  if (!words_of(option).empty()) return "(" + joined(words_of(option)) + ")";
  return option.completes == Completes::files ? "_files" : " ";
}

std::string zsh() {
  std::string out = "#compdef railgauge\n_railgauge() {\n  local -a verbs\n  verbs=(\n";
  for (const VerbSpec& verb : verbs())
    out += fmt::format("    '{}:{}'\n", verb.name, zsh_text(verb.summary));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe 'verb' verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const VerbSpec& verb : verbs()) {
    out += fmt::format("    {})\n      _arguments", verb.name);
    for (const OptionSpec& option : options_of(verb)) {
      for (const auto flag : split(option.flags, ',')) {
        out += fmt::format(" \\\n        '{}[{}]", flag, zsh_text(option.help));
        if (!option.value.empty())
          out += fmt::format(":{}:{}", zsh_text(lower(option.value)), zsh_action(option));
        out += "'";
      }
    }
    if (!verb.positional.flags.empty())
      out += fmt::format(" \\\n        '*:{}:{}'", lower(verb.positional.flags),
                         zsh_action(verb.positional));
    out += ";;\n";
  }
  return out + "  esac\n}\ncompdef _railgauge railgauge\n";
}

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string fish() {
  std::string out = "# fish completion for railgauge\ncomplete -c railgauge -f\n";
  for (const VerbSpec& verb : verbs()) {
    out += fmt::format("complete -c railgauge -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                       fish_text(verb.summary));
    const std::string in =
        fmt::format("complete -c railgauge -n '__fish_seen_subcommand_from {}'", verb.name);
    for (const OptionSpec& option : options_of(verb)) {
      out += in;
      for (const auto flag : split(option.flags, ','))
        out += flag.starts_with("--") ? fmt::format(" -l {}", flag.substr(2))
                                      : fmt::format(" -s {}", flag.substr(1));
      if (option.listed)
        out += fmt::format(" -x -a '(__fish_append , {})'", joined(words_of(option)));
      else if (!words_of(option).empty())
        out += fmt::format(" -x -a '{}'", joined(words_of(option)));
      else if (option.completes == Completes::files)
        out += " -r -F";
      else if (!option.value.empty())
        out += " -x";
      out += fmt::format(" -d '{}'\n", fish_text(option.help));
    }
    if (!verb.positional.choices.empty())
      out += fmt::format("{} -a '{}'\n", in, joined(verb.positional.choices));
    else if (verb.positional.completes == Completes::files)
      out += in + " -F\n";
  }
  return out;
}

Exit run(const Arguments& arguments) {
  const std::string shell = arguments.value("SHELL");
  if (shell == "bash") return write_result(arguments, bash());
  if (shell == "zsh") return write_result(arguments, zsh());
  if (shell == "fish") return write_result(arguments, fish());
  say_error("say for which shell: railgauge completions bash, zsh or fish");
  return Exit::could_not;
}

}  // namespace

VerbSpec completions_verb() {
  VerbSpec verb;
  verb.name = "completions";
  verb.summary = "Print the completion script of a shell";
  verb.description =
      "Prints a completion script for bash, zsh or fish, made from the same table as --help.";
  verb.positional = {"SHELL",           "", "bash, zsh or fish", {"bash", "zsh", "fish"}, 1,
                     Completes::choices};
  verb.examples = {{"source <(railgauge completions bash)", "for this shell"}};
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
