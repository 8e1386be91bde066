// The table of nccl-tests and rccl-tests (all_reduce_perf and its kin), all versions.
//   # nThread 1 nGpus 8 minBytes 8 maxBytes 8589934592 …
//   #  Rank  0 Group  0 Pid  4242 on  node01 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3
//   #       size         count      type   redop    root     time   algbw   busbw #wrong     time …
//      536870912     134217728     float     sum      -1   2110.5  254.4  445.2      0   2098.1 …
// One run for each program in the paste, two rows for each line: out of place, in place. And the
// report of `-J FILE.json`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nccl_tests(std::string_view bytes);
Result<model::Machine> read_nccl_tests(const Input& input);

bool looks_like_nccl_tests_json(std::string_view bytes);
Result<model::Machine> read_nccl_tests_json(const Input& input);

// "all_reduce" of "./build/all_reduce_perf -b 8"; empty when no program of nccl-tests is named.
std::string_view nccl_tests_program(std::string_view text);
// Type names of nccl-tests: "float", "bfloat16", "f8e4m3" …
bool is_nccl_type(std::string_view word);
// 22703 and 2803 are "2.27.3" and "2.8.3".
std::string nccl_version_text(long long code);

}  // namespace railgauge::observe
