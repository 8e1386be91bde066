// What PyTorch's watchdog and torchrun write into a job's log, also among NCCL's own lines:
//   [rank3]:[E… ProcessGroupNCCL.cpp:632] [Rank 3] Watchdog caught collective operation timeout:
//     WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1, …, Timeout(ms)=600000) ran for 600013 millis…
//   [rank3]:[E…] [PG ID 0 PG GUID 0(default_pg) Rank 3] … last enqueued work: 9, last completed
//   work: 4 … failed (exitcode: -9) local_rank: 3 (pid: 1906) of binary: … Result<Machine> machine
//   = read_watchdog_log({"job.log", bytes}); machine->hangs[0].timeouts
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_watchdog_log(std::string_view bytes);
Result<model::Machine> read_watchdog_log(const Input& input);

}  // namespace railgauge::observe
