// Where the process stands among control groups, and what that allows it.
#pragma once

#include <string>
#include <string_view>

#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

// `self` is the text of /proc/self/cgroup. Adds system/cgroup/….
void capture_cgroup(const Root& root, std::string_view self, Recording& recording);

}  // namespace railgauge::observe
