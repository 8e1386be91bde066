// argv → a verb and its arguments, or what to say instead.
#pragma once

#include <string>
#include <vector>

#include "apps/railgauge/verb.h"

namespace railgauge::app {

struct Parsed {
  const VerbSpec* verb = nullptr;  // nullptr: only print and leave
  Arguments arguments;
  std::string print;  // help, version or the error
  bool failed = false;
};

Parsed parse(const std::vector<std::string>& argv);

// What `railgauge` alone prints: a dozen lines and the most useful examples.
std::string overview();
std::string version_text();

// The nearest of `words`, when it is near enough to be meant; empty otherwise.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words);

}  // namespace railgauge::app
