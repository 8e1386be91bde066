// The readers of RDMA tools' output together: what one recognises it reads, what it does not it
// refuses.
#include "observe/ib_text/ibdev2netdev.h"
#include "observe/ib_text/ibqueryerrors.h"
#include "observe/ib_text/ibstat.h"
#include "observe/ib_text/rdma_counters.h"
#include "observe/ib_text/show_gids.h"
#include "observe/ib_text/sysfs_dump.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Input input{"fuzz", bytes};
  if (looks_like_ibstat(bytes) != read_ibstat(input).has_value()) __builtin_trap();
  if (looks_like_ibstatus(bytes) != read_ibstatus(input).has_value()) __builtin_trap();
  if (looks_like_ibv_devinfo(bytes) != read_ibv_devinfo(input).has_value()) __builtin_trap();
  if (looks_like_show_gids(bytes) != read_show_gids(input).has_value()) __builtin_trap();
  if (looks_like_ibqueryerrors(bytes) != read_ibqueryerrors(input).has_value()) __builtin_trap();
  if (looks_like_sysfs_dump(bytes) != read_sysfs_dump(input).has_value()) __builtin_trap();
  if (looks_like_rdma_counters(bytes) != read_rdma_counters(input).has_value()) __builtin_trap();
  if (looks_like_rdma_link(bytes) != read_rdma_link(input).has_value()) __builtin_trap();
  if (looks_like_ibdev2netdev(bytes) != read_ibdev2netdev(input).has_value()) __builtin_trap();
  return 0;
}
