// The command line as one table. Parsing, --help, the man page and the shell completions all come
// from it, so they cannot disagree. A verb is one file: it fills a VerbSpec and has a run function.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/railgauge/exit.h"

namespace railgauge::app {

enum class Completes { nothing, files, choices };

struct OptionSpec {
  std::string flags;  // "-o,--output"
  std::string value;  // "FILE"; empty for a switch
  std::string help;
  std::vector<std::string> choices;  // the only values allowed, when not empty
  int count = 1;                     // values taken; -1 for any number
  Completes completes = Completes::nothing;
  bool repeats = false;  // given again, it adds a value; otherwise the last one counts
  // What completion offers where other values are allowed too; `listed`: several with commas.
  std::vector<std::string> suggestions = {};
  bool listed = false;

  std::string name() const;  // "output": the long flag without dashes
};

class Arguments {
 public:
  bool has(std::string_view option) const;
  std::string value(std::string_view option, std::string_view otherwise = {}) const;
  const std::vector<std::string>& values(std::string_view option) const;

  std::map<std::string, std::vector<std::string>, std::less<>> given;  // by OptionSpec::name()
  std::vector<std::string> command;                                    // argv, for the envelope
};

struct Example {
  std::string command;
  std::string says;
};

struct VerbSpec {
  std::string name;
  std::string summary;      // one line of the list of verbs
  std::string description;  // paragraphs of the man page
  OptionSpec positional;    // flags is its name: "INPUT"
  std::vector<OptionSpec> options;
  std::vector<Example> examples;
  Exit (*run)(const Arguments&);
};

const std::vector<VerbSpec>& verbs();

// Every verb has these.
const std::vector<OptionSpec>& common_options();

VerbSpec see_verb();
VerbSpec record_verb();
VerbSpec diff_verb();
VerbSpec check_verb();
VerbSpec explain_verb();
VerbSpec completions_verb();
VerbSpec man_verb();

}  // namespace railgauge::app
