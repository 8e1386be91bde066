// What the process tells its caller.
#pragma once

namespace railgauge::app {

enum class Exit : int {
  done = 0,
  findings = 1,   // findings at or above --fail-on, a difference, a regression
  could_not = 2,  // usage, input, device
  interrupted = 130,
};

}  // namespace railgauge::app
