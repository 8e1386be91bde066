// The small text readers together: what one recognises it reads, what it does not it refuses.
#include "observe/text/numa_sysfs.h"
#include "observe/text/rocm_showtopo.h"
#include "observe/text/topo_p2p.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (looks_like_topo_p2p(bytes) != read_topo_p2p({"fuzz", bytes}).has_value()) __builtin_trap();
  if (looks_like_rocm_showtopo(bytes) != read_rocm_showtopo({"fuzz", bytes}).has_value())
    __builtin_trap();
  if (looks_like_numa_sysfs(bytes) != read_numa_sysfs({"fuzz", bytes}).has_value())
    __builtin_trap();
  return 0;
}
