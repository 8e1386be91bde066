// A bar on standard error for work that takes over a second, and only on a terminal.
//   Progress progress("reading", quiet);
//   progress.at(done, total);        // as often as one likes
// Removes itself when it goes, so that nothing of it is left among the results.
#pragma once

#include <chrono>
#include <string>

namespace railgauge::app {

class Progress {
 public:
  Progress(std::string doing, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string doing_;
  bool wanted_;
  bool drawn_ = false;
  Clock::time_point next_;
};

}  // namespace railgauge::app
