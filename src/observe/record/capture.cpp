#include "observe/record/capture.h"

#include <unistd.h>

#include <thread>

#include "base/clock.h"
#include "observe/record/samples.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t bytes_of(const Recording& recording) {
  std::uint64_t bytes = 0;
  for (const auto& [path, entry] : recording.entries) bytes += entry.bytes.size();
  return bytes;
}

}  // namespace

Captured capture(const Root& root, const CaptureOptions& options) {
  Captured captured;
  Recording& recording = captured.recording;
  recording.name = "this machine";
  recording.manifest.tool_version = options.tool_version;
  recording.manifest.made_at = utc_now();
  recording.manifest.as_root = ::geteuid() == 0;
  const auto begin = Clock::now();
  std::uint64_t bytes_before = 0;
  for (const LiveSource& source : live_sources()) {
    const std::size_t entries = recording.entries.size();
    const auto start = Clock::now();
    source.capture(root, recording);
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    const std::uint64_t bytes = bytes_of(recording);
    captured.sources.push_back(
        {source.name, recording.entries.size() - entries, bytes - bytes_before, time});
    bytes_before = bytes;
  }
  if (const auto host = recording.text("proc/sys/kernel/hostname"))
    recording.manifest.hostname = *host;
  for (int sample = 1; sample <= options.samples; ++sample) {
    if (options.before_sample) options.before_sample(sample, options.samples);
    std::this_thread::sleep_until(begin + sample * options.interval);
    const auto after = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    take_sample(root, sample, after, recording);
  }
  return captured;
}

}  // namespace railgauge::observe
