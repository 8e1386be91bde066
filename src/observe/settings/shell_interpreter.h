// What the commands of a script do to the environment of the programs that it starts.
//   ShellInterpreter shell(sink);
//   for (const ShellCommand& command : …) shell.command(command);
//   shell.finish();
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>

#include "observe/settings/setting_sink.h"
#include "observe/settings/shell_variables.h"
#include "observe/settings/shell_words.h"

namespace railgauge::observe {

class ShellInterpreter {
 public:
  enum class Notes { all, none };  // none for what may be no script at all
  explicit ShellInterpreter(SettingSink& sink, Notes notes = Notes::all)
      : sink_(sink), notes_(notes) {}

  void script(std::string_view text, std::uint32_t first_line);
  void command(const ShellCommand& command);
  void finish();  // says what was set and never exported

 private:
  using Words = std::span<const ShellWord>;

  void words(Words words);
  void run(std::string_view name, Words words, bool has_settings);
  void assign(const ShellWord& word);  // NAME=VALUE alone on its line
  void exported(Words words);          // after export, declare -x
  void unset(Words words);
  void set_options(Words words);   // set -a
  Words environment(Words words);  // after env: what is left is a command
  void export_option(std::string_view list, std::uint32_t line);  // ALL,A=b
  void launch(std::string_view program, Words words);
  std::size_t option(Words words, std::size_t at);  // how many words it took
  bool take(std::string_view setting, std::uint32_t line);

  struct Pending {
    std::string value;
    std::uint32_t line;
  };
  SettingSink& sink_;
  Notes notes_;
  ShellVariables variables_;
  std::map<std::string, Pending, std::less<>> pending_;  // set, not exported
  std::set<std::string, std::less<>> exported_;
  bool all_exported_ = false;
  int depth_ = 0;
};

}  // namespace railgauge::observe
