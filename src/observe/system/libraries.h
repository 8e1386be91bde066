// Versions of the libraries that move data between GPUs, by the names of their files: where
// libnccl.so.2 is a link to libnccl.so.2.28.9. Nothing is loaded, and folders on file systems of
// other machines are not looked into: their server may not answer. In a recording the links are
// kept where they were found.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_libraries(const Root& root, Recording& recording);
void read_libraries(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
