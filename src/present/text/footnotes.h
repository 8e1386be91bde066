// Reasons that would be too long where they belong, numbered in the order they are met.
//   notes.mark("link width is hidden without root")   // "[1]", and the same again for the same
//   words
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "present/text/page.h"

namespace railgauge::present {

class Footnotes {
 public:
  std::string mark(const std::string& reason) {
    const auto [at, fresh] = numbers_.try_emplace(reason, numbers_.size() + 1);
    if (fresh) reasons_.push_back(reason);
    return "[" + std::to_string(at->second) + "]";
  }

  void write(Page& page) const {
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      const std::string number = "[" + std::to_string(i + 1) + "] ";
      page.prose({{number, Ink::dim}}, {{std::string(number.size(), ' ')}}, reasons_[i], Ink::dim);
    }
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> reasons_;
};

}  // namespace railgauge::present
