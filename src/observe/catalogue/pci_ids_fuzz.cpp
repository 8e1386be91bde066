#include <cstddef>
#include <cstdint>

#include "observe/catalogue/pci_ids.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto names =
      railgauge::observe::pci_names_in({{0x15b3, 0x1021}, {0x10de, 0x2330}, {0, 0}}, text);
  if (names.size() > 3) __builtin_trap();
  return 0;
}
