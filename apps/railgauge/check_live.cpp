#include "apps/railgauge/check_live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "apps/railgauge/live.h"
#include "apps/railgauge/version.h"
#include "base/duration.h"
#include "base/strings.h"
#include "observe/record/capture.h"

namespace railgauge::app {
namespace {

std::chrono::milliseconds interval_of(Level level) {
  using std::chrono::seconds;
  switch (level) {
    case Level::quick: return seconds(0);
    case Level::medium: return seconds(1);
    case Level::long_: return seconds(60);
  }
  return seconds(0);
}

// The deadline of the process is for a machine that does not answer; a wait that was asked for is
// added to it.
void allow(std::chrono::milliseconds wait) {
  const unsigned left = ::alarm(0);
  if (left > 0)
    ::alarm(left +
            static_cast<unsigned>(std::chrono::duration_cast<std::chrono::seconds>(wait).count()));
}

}  // namespace

Result<observe::Observed> look_at_level(Level level, const observe::Knowledge& knowledge,
                                        const Arguments& arguments) {
  const LiveRoot live;
  observe::Root root = live.root();
  if (level == Level::quick) root.run = nullptr;
  observe::CaptureOptions options;
  options.tool_version = version;
  options.interval = interval_of(level);
  options.samples = options.interval.count() > 0 ? 1 : 0;
  allow(options.interval);
  if (level == Level::long_ && !arguments.has("quiet"))
    options.before_sample = [&](int, int) {
      fmt::print(stderr, "counters are read again in {}\n", text_of_duration(options.interval));
    };
  return observe::machine(observe::capture(root, options).recording, knowledge);
}

}  // namespace railgauge::app
