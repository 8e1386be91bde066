// What NCCL's graph search finds: how many channels, and how much each carries.
//   ring_graph(hgx_h100) -> 12 channels of 30 GB/s
// Worked out in closed form for machines whose GPUs are all alike, from the speeds that NCCL tries.
// Source: src/graph/search.cc and connect.cc of NCCL 2.29.2; see docs/design/0007-bandwidth.md.
#pragma once

#include "model/nccl_cost/fabric.h"

namespace railgauge::model::nccl_cost {

struct Graph {
  int channels = 0;  // 0: not possible here
  double intra = 0;  // GB/s a channel within a node
  double inter = 0;  // and between nodes
  friend bool operator==(const Graph&, const Graph&) = default;
};

Graph ring_graph(const Fabric& fabric);
Graph nvls_graph(const Fabric& fabric);

// Thread blocks that a collective may use: NCCL lays every ring twice.
int ring_blocks(const Fabric& fabric);
int nvls_blocks(const Fabric& fabric);

}  // namespace railgauge::model::nccl_cost
