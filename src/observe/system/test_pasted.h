// For tests: what one of the host's texts says when it is pasted.
#pragma once

#include <string_view>

#include "observe/system/host_text.h"

namespace railgauge::observe {

struct Pasted {
  bool found = false;
  model::Machine machine;
};

inline Pasted pasted(HostText text, std::string_view bytes) {
  Pasted out;
  out.found = text(bytes, out.machine.sources.add("pasted.txt", model::Trust::tool), out.machine);
  return out;
}

}  // namespace railgauge::observe
