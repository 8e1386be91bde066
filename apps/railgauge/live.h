// This machine as a root to observe, with the libraries and rights the process has.
#pragma once

#include <memory>

#include "dynlib/nvml.h"
#include "observe/root.h"

namespace railgauge::app {

// Keeps NVML loaded as long as it lives.
class LiveRoot {
 public:
  LiveRoot();
  const observe::Root& root() const { return root_; }

 private:
  std::unique_ptr<dynlib::Nvml> nvml_;
  observe::Root root_;
};

}  // namespace railgauge::app
