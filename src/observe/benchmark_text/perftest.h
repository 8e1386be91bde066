// perftest: ib_write_bw, ib_read_bw, ib_send_bw, the same with _lat, raw_ethernet_bw and so on.
//                      RDMA_Write BW Test
//   Number of qps   : 4            Transport type : IB
//   Mtu             : 4096[B]
//   Link type       : Ethernet
//   #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
//   65536      5000             391.90             391.72             0.747143
// One run a test; busbw is the average rate. A test in both directions is named "…_bidirectional".
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_perftest(std::string_view bytes);
Result<model::Machine> read_perftest(const Input& input);

}  // namespace railgauge::observe
