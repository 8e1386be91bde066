// Reads recordings made of arbitrary bytes as the kernel's view of a machine. Reading may fail, but
// what it gives must be a forest.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "observe/sources.h"
#include "observe/sysfs/recording_of_bytes.h"

namespace {

void check(const railgauge::Result<railgauge::model::Machine>& machine) {
  if (!machine) return;
  for (const auto id : machine->all()) {
    auto up = machine->devices[id.value].parent;
    for (std::size_t steps = 0; up; up = (*machine)[*up].parent)
      if (up->value >= machine->devices.size() || ++steps > machine->devices.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto recording =
      railgauge::observe::recording_of_bytes({reinterpret_cast<const char*>(data), size});
  check(railgauge::observe::read_sysfs(recording));
  check(railgauge::observe::read_rdma(recording));
  return 0;
}
