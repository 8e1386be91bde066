#include "apps/railgauge/progress.h"

#include <fmt/format.h>
#include <unistd.h>

namespace railgauge::app {
namespace {

constexpr std::chrono::seconds patience{1};
constexpr std::chrono::milliseconds redraw{100};
constexpr std::size_t bar_columns = 30;

}  // namespace

Progress::Progress(std::string doing, bool quiet)
    : doing_(std::move(doing)),
      wanted_(!quiet && ::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + patience) {}

Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::at(std::size_t done, std::size_t total) {
  if (!wanted_ || total == 0) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + redraw;
  drawn_ = true;
  const std::size_t full = done >= total ? bar_columns : done * bar_columns / total;
  fmt::print(stderr, "\r{} [{}{}] {}/{}\x1b[K", doing_, std::string(full, '#'),
             std::string(bar_columns - full, '.'), done, total);
  std::fflush(stderr);
}

}  // namespace railgauge::app
