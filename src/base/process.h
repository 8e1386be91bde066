// Runs another program, bounded in time and in what it may print.
//   Result<ProcessOutput> out = run_program({"rocm-smi", "--showtopo"}, std::chrono::seconds(1));
// The program is looked up in PATH, gets no standard input, and runs in a process group of its own,
// so that at the deadline it is ended together with whatever it started. Never goes through a
// shell.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace railgauge {

struct ProcessOutput {
  int exit_status = 0;  // 128 + the signal's number when a signal ended it
  std::string out;
  std::string err;
};

inline constexpr std::size_t most_process_output_bytes = 4u << 20;

// Errors: not_found (no such program), permission, limit (the deadline passed, or it printed more
// than `most_bytes`), device (the system refused).
Result<ProcessOutput> run_program(const std::vector<std::string>& argv,
                                  std::chrono::milliseconds deadline,
                                  std::size_t most_bytes = most_process_output_bytes);

}  // namespace railgauge
