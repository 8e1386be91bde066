// Stacks of processes that do not move: "py-spy dump --pid N", with or without --native, and gdb's
// "thread apply all bt"; several of them pasted one after the other.
//   Result<Machine> machine = read_stacks({"stacks.txt", bytes});
//   machine->hangs[0].ranks[2].stacks[0].frames
// One process is one rank; its number is known where the command line (--local_rank), a heading
// ("=== rank 3 ===") or the file's name tells it. Frames are "file:line function", or
// "function (library)" of native code.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_stacks(std::string_view bytes);
Result<model::Machine> read_stacks(const Input& input);

}  // namespace railgauge::observe
