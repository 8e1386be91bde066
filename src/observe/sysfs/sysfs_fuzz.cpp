// Reads recordings made of arbitrary bytes as the kernel's view of a machine: entries are separated
// by the byte 0x1e, each is a letter (f file, l link, r refused), a path up to the end of the line,
// and the contents. Reading may fail, but what it gives must be a forest.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strings.h"
#include "observe/sources.h"

namespace {

using railgauge::observe::Recording;

Recording recording_of(std::string_view bytes) {
  Recording recording;
  for (const auto part : railgauge::split(bytes, '\x1e')) {
    const auto end = part.find('\n');
    if (part.size() < 2 || end == std::string_view::npos) continue;
    std::string path(part.substr(1, end - 1));
    std::string contents(part.substr(end + 1));
    if (part[0] == 'l')
      recording.add_link(std::move(path), std::move(contents));
    else if (part[0] == 'r')
      recording.add_refused(std::move(path), std::move(contents));
    else
      recording.add_file(std::move(path), std::move(contents));
  }
  return recording;
}

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
  const Recording recording = recording_of({reinterpret_cast<const char*>(data), size});
  check(railgauge::observe::read_sysfs(recording));
  check(railgauge::observe::read_rdma(recording));
  return 0;
}
