#include "observe/lspci/lspci.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto machine = railgauge::observe::read_lspci({"fuzz", bytes});
  if (machine && !railgauge::observe::looks_like_lspci(bytes)) __builtin_trap();
  return 0;
}
