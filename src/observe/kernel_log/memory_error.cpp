// Host memory and processor errors: EDAC and machine checks.
//   EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0 (channel:1 slot:0 …)
//   mce: [Hardware Error]: CPU 12: Machine Check: 0 Bank 7: cc00008000010091
//   [Hardware Error]: Corrected error, no action required.                        (AMD)
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using model::EventKind;
using model::EventSeverity;

constexpr std::array<std::string_view, 4> words{"EDAC ", "Machine Check",
                                                "Hardware Error]: ", "Memory failure: 0x"};

bool starts(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// "EDAC MC0: 1 CE …": the count is the driver's own.
bool take_edac(const LogLine& line, EventLog& log) {
  const auto rest = after(line.text, ": ");
  const auto count = rest ? leading_number(*rest) : std::nullopt;
  if (!count) return false;
  const std::string_view kind = trim(
      rest->substr(rest->find(' ') == std::string_view::npos ? rest->size() : rest->find(' ')));
  const bool corrected = starts(kind, "CE ");
  if (!corrected && !starts(kind, "UE ")) return false;
  model::Event& event =
      log.add(line, EventKind::memory_error,
              corrected ? EventSeverity::corrected : EventSeverity::fatal, line.text);
  if (*count > 0 && *count < 1u << 30) event.count = *count * line.count;
  return true;
}

// One machine check is told in several lines, of which only the first makes an event.
bool take_machine_check(const LogLine& line, EventLog& log) {
  std::string_view text = line.text;
  for (const std::string_view prefix : {"mce: ", "MCE: "})
    if (starts(text, prefix)) text.remove_prefix(prefix.size());
  if (!starts(text, "[Hardware Error]: ")) return false;
  text.remove_prefix(18);
  const model::Event* before = log.last_of(EventKind::memory_error);
  const bool begins = contains(text, "Machine Check: ") || contains(text, "Machine check events") ||
                      contains(text, "no action required") || starts(text, "Uncorrected") ||
                      starts(text, "Deferred error") || starts(text, "Corrected error");
  if (!begins) return before != nullptr && line.number - before->source.line < 16;
  const bool corrected = contains(text, "Corrected") || contains(text, "no action required") ||
                         contains(text, "Machine check events");
  log.add(line, EventKind::memory_error,
          corrected ? EventSeverity::corrected : EventSeverity::nonfatal, line.text);
  return true;
}

bool take(const LogLine& line, EventLog& log) {
  if (starts(line.text, "{")) return false;  // a block of APEI has its own form
  if (starts(line.text, "EDAC ")) return take_edac(line, log);
  if (starts(line.text, "Memory failure: 0x")) {
    log.add(line, EventKind::memory_error, EventSeverity::nonfatal, line.text);
    return true;
  }
  return take_machine_check(line, log);
}

}  // namespace

Form memory_error_form() { return {words, take}; }

}  // namespace railgauge::observe
