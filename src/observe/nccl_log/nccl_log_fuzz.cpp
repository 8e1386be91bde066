// What looks like an NCCL log is read; what does not is refused.
#include "observe/nccl_log/nccl_log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (looks_like_nccl_log(bytes) != read_nccl_log({"fuzz", bytes}).has_value()) __builtin_trap();
  return 0;
}
