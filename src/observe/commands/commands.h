// The few programs a recording runs, because no file and no library of ours says the same.
// Each has a deadline; one that is not installed leaves no trace, one that fails is kept with its
// words. Their outputs are read by the readers of pasted text.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "observe/recording.h"

namespace railgauge::observe {

struct Command {
  const char* name;  // of the files: commands/NAME.txt and .json
  std::vector<std::string> argv;
  std::chrono::milliseconds deadline;
  bool (*wanted)(const Recording& recording);  // by what was captured before
};

const std::vector<Command>& commands();

}  // namespace railgauge::observe
