// How much of a function's configuration space is worth copying. Every four bytes are one
// transaction over the link, and in a virtual machine one exit to its monitor, so not all 4096:
//   - the first 256 bytes of every function: nearly everything that is decoded lies there;
//   - of bridges also the extended space, as far as Access Control Services and Advanced Error
//     Reporting reach;
//   - nothing of a function in D3cold, which reading would wake: the recording says so.
// Without root the kernel gives 64 bytes, and so does the recording.
#pragma once

#include <string>

#include "observe/recording.h"
#include "observe/sysfs/directory.h"

namespace railgauge::observe {

// `path` is the function's directory in the recording, its `class` and `power_state` copied
// already.
void copy_config(const Directory& function, const std::string& path, Recording& recording);

}  // namespace railgauge::observe
