// What a benchmark printed: nccl-tests, nvbandwidth, perftest, iperf3. Read to be compared with
// what the machine should do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "model/source.h"

namespace railgauge::model {

enum class BenchmarkTool : std::uint8_t { nccl_tests, nvbandwidth, perftest, iperf3, ping };
std::string_view text(BenchmarkTool tool);

struct BenchmarkRow {
  std::uint64_t size_bytes = 0;   // of the message, as nccl-tests counts it
  std::optional<double> seconds;  // per operation
  std::optional<BytesPerSecond> algbw;
  std::optional<BytesPerSecond> busbw;  // for point-to-point tools the plain rate
  std::optional<std::uint64_t> wrong_count;
  bool in_place = false;
  std::string from;  // nvbandwidth: "GPU0", "host"; empty elsewhere
  std::string to;
  SourceRef source;
  friend bool operator==(const BenchmarkRow&, const BenchmarkRow&) = default;
};

struct BenchmarkRun {
  BenchmarkTool tool = BenchmarkTool::nccl_tests;
  std::string name;          // "all_reduce", "ib_write_bw", "device_to_device_memcpy_read_ce"
  std::string tool_version;  // as printed; empty when not
  std::string data_type;     // "float"
  std::string reduction;     // "sum"
  std::optional<int> ranks;
  std::optional<int> nodes;
  std::optional<int> gpus_per_node;
  std::vector<std::string> devices;  // "NVIDIA H100 80GB HBM3", distinct
  std::vector<std::string> hosts;    // distinct, in order
  std::optional<int> connections;    // queue pairs, parallel streams
  std::optional<int> mtu_bytes;
  std::string link_layer;  // perftest: "Ethernet", "IB"
  std::string nic;         // perftest: "mlx5_0"
  std::optional<double> loss_fraction;
  std::optional<std::uint64_t> retransmits;
  std::vector<BenchmarkRow> rows;
  SourceRef source;
  friend bool operator==(const BenchmarkRun&, const BenchmarkRun&) = default;
};

}  // namespace railgauge::model
