// What NCCL's RAS subsystem answers (ncclras, or telnet to port 28028): the text of NCCL 2.24 and
// later, the JSON of 2.28 and later, and events of its monitor. Communicators with their launch
// counts, missing and dead processes; ranks are those in the communicator.
//   Result<Machine> machine = read_nccl_ras({"ras.txt", bytes});
//   machine->hangs[0].launch_counts
// Several answers in one text become several dumps, so that counts that stand still can be told.
// NCCL user guide: "RAS".
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nccl_ras(std::string_view bytes);
Result<model::Machine> read_nccl_ras(const Input& input);

}  // namespace railgauge::observe
