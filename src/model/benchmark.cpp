#include "model/benchmark.h"

namespace railgauge::model {

std::string_view text(BenchmarkTool tool) {
  switch (tool) {
    case BenchmarkTool::nccl_tests: return "nccl-tests";
    case BenchmarkTool::nvbandwidth: return "nvbandwidth";
    case BenchmarkTool::perftest: return "perftest";
    case BenchmarkTool::iperf3: return "iperf3";
    case BenchmarkTool::ping: return "ping";
  }
  return "nccl-tests";
}

}  // namespace railgauge::model
