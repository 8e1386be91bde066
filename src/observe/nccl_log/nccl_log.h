// The log of an NCCL (or RCCL) job, NCCL_DEBUG=WARN or INFO, versions 2.4 to 2.32: what it states
// goes into Machine::nccl_runs, its variables into Machine::variables, and the GPUs and RDMA
// adapters of its first host become devices. Lines of the program between NCCL's are passed over.
// Memory grows with the distinct facts, not with the length of the log.
//   Result<Machine> machine = read_nccl_log({"job.log", bytes});
//   machine->nccl_runs[0].connections
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nccl_log(std::string_view bytes);
Result<model::Machine> read_nccl_log(const Input& input);

}  // namespace railgauge::observe
