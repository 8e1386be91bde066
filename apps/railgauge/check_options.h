// What the command line of `check` asks for, checked and in one place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/railgauge/verb.h"
#include "base/result.h"
#include "judge/findings.h"

namespace railgauge::app {

enum class Level {
  quick,   // one look without running programs
  medium,  // one look, then counters again after a second
  long_,   // counters again after a minute
};

struct CheckOptions {
  std::vector<std::string> inputs;  // none: this machine
  std::string format = "text";
  judge::Selection selection;
  std::optional<model::Severity> fail_on = model::Severity::error;  // nothing: never
  std::string fail_on_word = "error";
  Level level = Level::medium;
  std::string earlier;  // an older recording, or a directory of them
  std::string machine;  // name of a known machine
  int nodes = 1;
  std::string nics;
  bool trust_virtual_links = false;
};

Result<CheckOptions> check_options(const Arguments& arguments);
std::vector<OptionSpec> check_option_specs();

}  // namespace railgauge::app
