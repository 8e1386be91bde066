#include "apps/railgauge/live.h"

#include <unistd.h>

#include "base/process.h"

namespace railgauge::app {

LiveRoot::LiveRoot() {
  auto nvml = dynlib::load_nvml();
  if (nvml)
    nvml_ = std::move(*nvml);
  else
    root_.nvml_why_not = nvml.error().text();
  root_.nvml = nvml_.get();
  for (char** variable = environ; *variable != nullptr; ++variable)
    root_.environment.emplace_back(*variable);
  root_.run = [](const std::vector<std::string>& argv, std::chrono::milliseconds deadline) {
    return run_program(argv, deadline);
  };
}

}  // namespace railgauge::app
