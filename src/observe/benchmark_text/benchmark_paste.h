// The runs of a pasted benchmark output under construction.
//   BenchmarkPaste paste(input);
//   paste.at(7);                                      // what follows stands on line 7
//   BenchmarkRun& run = paste.begin(BenchmarkTool::iperf3, "tcp");
//   paste.row({.busbw = rate});
//   return paste.take("expected the output of iperf3");
// Bounded: runs, rows, names and remarks beyond a limit are counted, and one remark says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

class BenchmarkPaste {
 public:
  static constexpr std::size_t most_runs = 1'000;
  static constexpr std::size_t most_rows = 100'000;  // of all runs together
  static constexpr std::size_t most_names = 4'096;   // hosts or devices of one run
  static constexpr std::size_t most_remarks = 100;

  explicit BenchmarkPaste(const Input& input);

  void at(std::uint32_t line) { here_ = source_.at_line(line); }
  model::SourceRef here() const { return here_; }

  // The reference is good until the next begin().
  model::BenchmarkRun& begin(model::BenchmarkTool tool, std::string_view name);
  model::BenchmarkRun* current() { return machine_.benchmarks.empty() ? nullptr : &run(); }
  void row(model::BenchmarkRow row);  // of the current run; its source is set here

  void warn(std::string text);
  // Adds a name that is not there yet.
  static void add_once(std::vector<std::string>& names, std::string_view name);

  // Runs without rows and without a failure to tell are dropped; an error when nothing is left.
  Result<model::Machine> take(const char* expected);

 private:
  model::BenchmarkRun& run() { return overflow_ ? spare_ : machine_.benchmarks.back(); }

  model::Machine machine_;
  model::SourceRef source_;
  model::SourceRef here_;
  model::BenchmarkRun spare_;  // takes what is beyond most_runs
  bool overflow_ = false;
  std::size_t rows_ = 0;
  std::size_t lost_rows_ = 0;
  std::size_t remarks_ = 0;
};

// "[1,0]<stdout>:", "0: ", "node07: ", "2025-01-01T00:00:00Z ": what launchers and log collectors
// put before a line is left out.
std::string_view without_launcher_prefix(std::string_view line);

}  // namespace railgauge::observe
