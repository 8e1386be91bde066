// Reads recordings made of arbitrary bytes as the settings of a host. Every claim must name a
// source that the machine knows.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "observe/sources.h"
#include "observe/sysfs/recording_of_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto recording =
      railgauge::observe::recording_of_bytes({reinterpret_cast<const char*>(data), size});
  const auto machine = railgauge::observe::read_system(recording);
  if (machine.has_value() != railgauge::observe::system_present(recording)) std::abort();
  if (!machine) return 0;
  for (const auto& variable : machine->variables)
    if (variable.source.index >= machine->sources.size()) std::abort();
  for (const auto& interrupt : machine->interrupts)
    for (const auto& [cpu, counter] : interrupt.cpus)
      if (cpu < 0 || !counter.value || *counter.value == 0) std::abort();
  return 0;
}
