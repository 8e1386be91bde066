// What NCCL says at level INFO although something is missing:
//   NET/IB : No device found.
//   P2P not supported between GPU3 and GPU0
//   socketPollConnect: Connect to … returned 113(No route to host) errno 115
#include <array>

#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 21> words{"No device found",
                                                 "P2P not supported",
                                                 "P2P is disabled",
                                                 "could not read ",
                                                 "socketPollConnect: ",
                                                 "Failed to initialize NET plugin",
                                                 "Could not enable P2P",
                                                 "NVLS multicast support is not available",
                                                 "Failed to open lib",
                                                 "Call to ibv_",
                                                 "Call to connect returned",
                                                 "Connection closed by remote peer",
                                                 "No route to host",
                                                 "Network is unreachable",
                                                 "Connection refused",
                                                 "Cuda failure ",
                                                 "out of memory",
                                                 "eligible providers",
                                                 "No space left on device",
                                                 "DMA-BUF is not",
                                                 "Got completion "};

bool take(const NcclLine& line, RunBuilder& run) {
  if (line.warning) return true;  // it is kept already
  run.warning(line);
  return true;
}

}  // namespace

Statement failure_statement() { return {words, take}; }

}  // namespace railgauge::observe
