// One text by every reader that knows something in it: pasted, recorded, or printed by a command.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

struct ReadText {
  std::vector<model::Machine> parts;
  std::vector<std::string> kinds;  // of the parts: "nvidia-smi topo -m"
};

// An error only when no reader knows the text, when none of those that do could use it, or when a
// line is longer than any we read (1 MiB, XML apart); what one of several could not read is a
// remark.
Result<ReadText> read_text(const Input& input);

}  // namespace railgauge::observe
