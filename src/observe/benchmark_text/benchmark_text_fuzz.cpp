// The readers of benchmark outputs together: what one reads it must recognise.
#include "observe/benchmark_text/iperf3.h"
#include "observe/benchmark_text/nccl_tests.h"
#include "observe/benchmark_text/nvbandwidth.h"
#include "observe/benchmark_text/perftest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Input input{"fuzz", bytes};
  if (looks_like_nccl_tests(bytes) != read_nccl_tests(input).has_value()) __builtin_trap();
  if (read_nvbandwidth(input) && !looks_like_nvbandwidth(bytes)) __builtin_trap();
  if (looks_like_perftest(bytes) != read_perftest(input).has_value()) __builtin_trap();
  if (looks_like_iperf3(bytes) != read_iperf3(input).has_value()) __builtin_trap();
  if (looks_like_nccl_tests_json(bytes)) static_cast<void>(read_nccl_tests_json(input));
  if (looks_like_nvbandwidth_json(bytes)) static_cast<void>(read_nvbandwidth_json(input));
  if (looks_like_iperf3_json(bytes)) static_cast<void>(read_iperf3_json(input));
  return 0;
}
