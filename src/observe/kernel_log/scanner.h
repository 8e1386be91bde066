// Runs all forms over the lines of a kernel log.
//   LogScanner scanner;                        // once: it builds the table of words
//   scanner.scan(text, log, [](std::string_view raw, std::uint32_t number) { … });
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "observe/kernel_log/event_log.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/keywords.h"

namespace railgauge::observe {

class LogScanner {
 public:
  LogScanner();

  // Told of every line that belongs to an event. False: enough, stop here.
  using Accepted = std::function<bool(std::string_view raw, std::uint32_t number)>;
  // Lines of other hosts than the first are passed over, with a remark.
  void scan(std::string_view text, EventLog& log, const Accepted& accepted) const;

 private:
  bool take(std::string_view raw, std::uint32_t number, std::size_t hit_in_line,
            EventLog& log) const;

  std::vector<Form> forms_;
  Keywords words_;
};

}  // namespace railgauge::observe
