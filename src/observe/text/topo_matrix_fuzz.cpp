#include "observe/text/topo_matrix.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const bool looks = railgauge::observe::looks_like_topo_matrix(bytes);
  const auto machine = railgauge::observe::read_topo_matrix({"fuzz", bytes});
  if (looks != machine.has_value()) __builtin_trap();
  return 0;
}
