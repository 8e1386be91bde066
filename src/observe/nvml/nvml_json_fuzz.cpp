#include <cstdint>
#include <string>

#include "observe/nvml/quick_document.h"
#include "observe/sources.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  railgauge::observe::Recording recording;
  recording.add_file("nvml.json", std::string(reinterpret_cast<const char*>(data), size));
  const auto machine = railgauge::observe::read_nvml(recording);
  // Every source that a remark names must be one of the machine's.
  if (machine)
    for (const auto& remark : machine->remarks)
      if (machine->sources.text(remark.source).empty()) __builtin_trap();
  // The short way gives what the JSON library gives, or nothing.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto quick = railgauge::observe::nvml::quick_document(bytes))
    if (const auto whole = railgauge::observe::nvml::library_document(bytes);
        !whole || *whole != *quick)
      __builtin_trap();
  return 0;
}
