// This machine as `check` looks at it: how long, and with which programs.
#pragma once

#include "apps/railgauge/check_options.h"
#include "base/result.h"
#include "observe/observe.h"

namespace railgauge::app {

Result<observe::Observed> look_at_level(Level level, const observe::Knowledge& knowledge,
                                        const Arguments& arguments);

}  // namespace railgauge::app
