// Dumps of PyTorch's flight recorder, the list of collectives that each rank keeps: pickles that
// TORCH_NCCL_DUMP_ON_TIMEOUT writes (nccl_trace_rank_3), and the same as JSON. Versions 1 and 2.
// One dump is one rank; its number is that at the end of the file's name, or "rank" inside.
//   Result<Machine> machine = read_flight_recorder({"nccl_trace_rank_3", bytes});
//   machine->hangs[0].ranks[0].calls
// https://docs.pytorch.org: "Flight Recorder for Debugging Stuck Jobs".
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_flight_recorder(std::string_view bytes);
Result<model::Machine> read_flight_recorder(const Input& input);

// 3 of "dumps/nccl_trace_rank_3", "rank3.json", "trace_7.pkl"; nothing for a name without a number.
std::optional<int> rank_of_file_name(std::string_view name);

}  // namespace railgauge::observe
