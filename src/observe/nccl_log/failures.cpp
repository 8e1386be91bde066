// What NCCL says at level INFO although something is missing:
//   NET/IB : No device found.
//   P2P not supported between GPU3 and GPU0
//   socketPollConnect: Connect to … returned 113(No route to host) errno 115
#include <array>

#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 8> words{
    "NET/IB : No device found", "P2P not supported",
    "P2P is disabled",          "could not read ",
    "socketPollConnect: ",      "Failed to initialize NET plugin",
    "Could not enable P2P",     "NVLS multicast support is not available"};

bool take(const NcclLine& line, RunBuilder& run) {
  if (line.warning) return true;  // it is kept already
  run.warning(line);
  return true;
}

}  // namespace

Statement failure_statement() { return {words, take}; }

}  // namespace railgauge::observe
