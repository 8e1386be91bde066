// What NCCL's lines state, by subject. Each function is asked about a line that holds one of its
// words; true when it took the line.
#pragma once

#include <span>
#include <string_view>

#include "observe/nccl_log/run_builder.h"

namespace railgauge::observe {

struct Statement {
  std::span<const std::string_view> words;  // each at least four bytes
  bool (*take)(const NcclLine& line, RunBuilder& run);
};

Statement version_statement();     // versions of NCCL, CUDA, drivers; plugins
Statement init_statement();        // ranks, processes, GPUs, CPU masks
Statement network_statement();     // networks, adapters, out-of-band interface
Statement gdr_statement();         // GPU Direct RDMA, on or off
Statement variable_statement();    // NCCL_… set by environment
Statement connection_statement();  // channels, rings, trees
Statement topology_statement();    // the paths and links of NCCL's own topology
// INFO lines that say that something failed or is missing; kept among the warnings.
Statement failure_statement();

}  // namespace railgauge::observe
