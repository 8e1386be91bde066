// iperf3, as text or as JSON (-J): one run a test, its row the rate that the receiver saw.
//   [SUM]   0.00-10.00  sec   109 GBytes  93.9 Gbits/sec    12             sender
//   [SUM]   0.00-10.00  sec   109 GBytes  93.8 Gbits/sec                  receiver
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_iperf3(std::string_view bytes);
Result<model::Machine> read_iperf3(const Input& input);

bool looks_like_iperf3_json(std::string_view bytes);
Result<model::Machine> read_iperf3_json(const Input& input);

}  // namespace railgauge::observe
