// Daemons that are running, of the list in service_names.h. In a recording: system/services.txt,
// one name a line. In a container only the container's processes are seen, so a missing name says
// nothing there.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_services(const Root& root, Recording& recording);
void read_services(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
