// Where live facts come from, as an argument: a file tree, library tables, commands. Tests hand in
// a directory, a fake library and canned outputs; the program hands in "/".
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace railgauge::dynlib {
struct Nvml;
}

namespace railgauge::observe {

struct Root {
  std::filesystem::path prefix = "/";  // "/sys" is read below it
  const dynlib::Nvml* nvml = nullptr;  // nullptr: no NVIDIA driver here
  std::string nvml_why_not;            // the loader's words when nvml is nullptr
  // Runs a program with a deadline (run_program); empty when commands must not be run.
  std::function<Result<ProcessOutput>(const std::vector<std::string>& argv,
                                      std::chrono::milliseconds deadline)>
      run;
  // "NAME=VALUE" of the process that looks. What is not on the list of names is never kept.
  std::vector<std::string> environment{};
};

}  // namespace railgauge::observe
