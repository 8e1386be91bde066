// A shell script cut into commands and words, as far as settings need it: quotes, comments,
// continuation lines and here-documents. Nothing is run and no file is opened.
//   for (const ShellCommand& command : shell_commands(text).commands) command.words[0].text
// In a word, expansions stand as they were written ("$HOME", "${X:-1}"); what a command would print
// is "$(...)". A dollar sign that the script keeps from expansion is `kept_dollar`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

inline constexpr char kept_dollar = '\x01';

struct ShellWord {
  std::string text;
  std::uint32_t line = 0;
  bool quoted = false;  // some of it stood in quotes
};

struct ShellCommand {
  std::vector<ShellWord> words;  // never empty
};

struct ShellText {
  std::vector<ShellCommand> commands;
  std::uint32_t open_quote_line = 0;  // a quote that never closes; 0: none
  bool cut = false;                   // more commands than we read
};

// Lines count from `first_line`. A line of directives ("#SBATCH --export=…") is a command of its
// own whose first word is "#SBATCH".
ShellText shell_commands(std::string_view text, std::uint32_t first_line = 1);

}  // namespace railgauge::observe
