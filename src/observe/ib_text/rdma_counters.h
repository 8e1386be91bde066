// Pasted hw_counters or counters of an RDMA port, a line each ("local_ack_timeout_err: 2705"), and
// the output of `rdma link` and `rdma statistic`:
//   link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth0
//   link mlx5_0/1 rx_write_requests 0 out_of_sequence 12
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_rdma_counters(std::string_view bytes);
Result<model::Machine> read_rdma_counters(const Input& input);

bool looks_like_rdma_link(std::string_view bytes);
Result<model::Machine> read_rdma_link(const Input& input);

}  // namespace railgauge::observe
