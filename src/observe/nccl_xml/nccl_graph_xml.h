// NCCL graph files (NCCL_GRAPH_FILE, NCCL_GRAPH_DUMP_FILE): recognised, so that people who hand one
// in place of a topology file are told. They hold channels NCCL chose, not devices: the Machine is
// empty, with one remark about the kind of file and one per graph.
#pragma once

#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nccl_graph_xml(std::string_view bytes);
Result<model::Machine> read_nccl_graph_xml(const Input& input);

}  // namespace railgauge::observe
