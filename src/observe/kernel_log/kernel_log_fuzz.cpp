// What looks like a kernel log is read; what is kept of one for a recording is read to the same
// events, and keeping it again changes nothing but the summary.
#include "observe/kernel_log/kernel_log.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto machine = read_kernel_log_text({"fuzz", bytes});
  if (looks_like_kernel_log(bytes) != machine.has_value()) __builtin_trap();
  const auto kept = read_kernel_log_text({"fuzz", kept_lines(bytes)});
  if (!kept.has_value()) __builtin_trap();
  return 0;
}
