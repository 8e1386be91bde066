// Interrupts of GPUs and network adapters: how often each CPU took them, and where they may go.
// In a recording: proc/interrupts as it is, sys/devices/…/msi_irqs/N (the names alone, which say
// whose interrupt N is; the files are empty) and proc/irq/N/smp_affinity_list of those.
#pragma once

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_interrupts(const Root& root, Recording& recording);
void sample_interrupts(const Root& root, Recording& sample);
void read_interrupts(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
