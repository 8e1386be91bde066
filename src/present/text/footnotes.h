// Reasons that would be too long where they belong, numbered in the order they are met.
//   notes.mark("link width is hidden without root")   // "[1]", and the same again for the same
//   words
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "present/text/page.h"
#include "present/words.h"

namespace railgauge::present {

class Footnotes {
 public:
  std::string mark(const std::string& reason) {
    const auto [at, fresh] = numbers_.try_emplace(reason, numbers_.size() + 1);
    if (fresh && reasons_.size() < listed) reasons_.push_back(reason);
    if (at->second > listed) return "[+]";
    return "[" + std::to_string(at->second) + "]";
  }

  // The reasons in one sentence, without what their kind of footnote is.
  std::string joined() const {
    std::string out;
    for (const std::string& reason : reasons_) {
      std::string words = reason;
      for (const std::string head : {"rate unknown: ", "no path: "})
        if (words.starts_with(head)) words.erase(0, head.size());
      out += (out.empty() ? "" : "; ") + words;
    }
    if (numbers_.size() > listed) out += "; and more, see --json";
    return out;
  }

  void write(Page& page) const {
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      const std::string number = "[" + std::to_string(i + 1) + "] ";
      page.prose({{number, Ink::dim}}, {{std::string(number.size(), ' ')}}, reasons_[i], Ink::dim);
    }
    if (numbers_.size() > listed)
      page.add({{"[+] " + plural(numbers_.size() - listed, "more reason", "more reasons") +
                     ", see --json",
                 Ink::dim}});
  }

 private:
  static constexpr std::size_t listed = 8;  // more are counted: nobody reads them here
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> reasons_;
};

}  // namespace railgauge::present
