// This machine into a recording, in memory.
//   CaptureOptions options{.interval = std::chrono::seconds(10)};
//   Recording recording = capture(root, options);
// Changes nothing on the machine, needs no root; what may not be read is kept as refused.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "observe/observe.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

struct CaptureOptions {
  std::string tool_version;
  int samples = 0;                        // further readings of the counters
  std::chrono::milliseconds interval{0};  // between two readings
  // Called before each wait with what is still to come; may print. Empty: silence.
  std::function<void(int sample, int samples)> before_sample;
};

struct SourceFigures {
  std::string source;
  std::size_t entries = 0;
  std::uint64_t bytes = 0;
  std::chrono::microseconds time{};
};

struct Captured {
  Recording recording;
  std::vector<SourceFigures> sources;
};

Captured capture(const Root& root, const CaptureOptions& options);

// What was refused for want of rights, in a few lines for people: "kernel log", "PCI configuration
// space of 152 functions (ASPM, ACS, AER)". Empty when run as root.
std::vector<std::string> what_root_would_add(const Recording& recording);

// The paths of a recording folded for people: one row for all paths that differ in numbers and
// addresses only.
struct PathGroup {
  std::string pattern;  // "sys/devices/…/ADDRESS/{class,device,vendor}"
  std::size_t entries = 0;
  std::uint64_t bytes = 0;
  std::size_t refused = 0;
};
std::vector<PathGroup> folded_paths(const Recording& recording);

}  // namespace railgauge::observe
