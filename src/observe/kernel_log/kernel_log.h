// The kernel's log, pasted or recorded: what it says of PCIe errors, GPUs, switches, adapters,
// memory and the processes that failed on them. Every other line is passed over, and no word of it
// is kept. The forms of lines are listed in forms.h, with how severities are given.
//   Result<Machine> machine = read_kernel_log({"dmesg.txt", bytes});
//   machine->events                          // in the order of the log
// At most 100,000 events are kept; the number of the others is a remark.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"
#include "observe/recording.h"

namespace railgauge::observe {

bool looks_like_kernel_log(std::string_view bytes);
Result<model::Machine> read_kernel_log_text(const Input& input);

// The first line of a recorded log, which stands for the lines that are not in it:
//   # kernel log: 5123 lines looked at, 0.000000 s to 98765.432100 s, 12 kept, 0 older ones dropped
struct LogSummary {
  std::uint64_t lines = 0;
  std::optional<double> first_seconds;  // since boot
  std::optional<double> last_seconds;
  std::uint64_t kept = 0;
  std::uint64_t dropped = 0;
};
std::string text(const LogSummary& summary);
std::optional<LogSummary> parse_log_summary(std::string_view line);

// Only the lines that a form understands, newest last, after their summary; at most `bytes_max`.
std::string kept_lines(std::string_view log, std::size_t bytes_max = 4u << 20);

// What klogctl gave, or why it gave nothing, into kernel.log.
void record_kernel_log(const Result<std::string>& log, Recording& recording);

}  // namespace railgauge::observe
