// The machines that a verb was given, one at a time: only one of a thousand recordings is held.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "observe/observe.h"

namespace railgauge::app {

// The process's deadline (--timeout) is for a machine that does not answer, not for the thousandth
// of many: it begins again with every machine.
class Patience {
 public:
  Patience();
  void renew() const;

 private:
  unsigned seconds_;
};

// `input` reads the machine again; empty where nothing does.
using TakeMachine = std::function<void(model::Machine machine, const std::string& input)>;

// Files, directories, archives, "-" and synthetic:NAME, in any mixture. Each machine has the name
// that leads a person to it: where host names are replaced, that of its file.
Result<observe::Visited> each_machine(const std::vector<std::string>& inputs,
                                      const observe::Knowledge& knowledge, bool quiet,
                                      const TakeMachine& take);

}  // namespace railgauge::app
