// What looks like RAS, a watchdog's log or stacks is read; what does not is refused.
#include "observe/hang_text/nccl_ras.h"
#include "observe/hang_text/stacks.h"
#include "observe/hang_text/watchdog.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  (void)read_nccl_ras({"fuzz", bytes});
  (void)read_watchdog_log({"fuzz", bytes});
  if (looks_like_stacks(bytes) && !read_stacks({"fuzz", bytes})) __builtin_trap();
  return 0;
}
