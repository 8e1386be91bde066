// What came of an uncorrected error: words of the drivers below the port and of the recovery. They
// belong to the report before them, whose text they lengthen:
//   nvidia 0000:04:00.0: AER: can't recover (no error_detected callback)
//   pcieport 0000:00:03.0: AER: device recovery failed
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"

namespace railgauge::observe {
namespace {

using model::EventKind;
using model::EventSeverity;

constexpr std::array<std::string_view, 9> words{
    "error_detected callback",  "AER-aware driver",    "device recovery ",
    "broadcast error_detected", "broadcast mmio_enab", "broadcast slot_reset",
    "broadcast resume",         "link has been reset", "device reset failed"};

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who) return false;
  const std::string_view said = without_aer(who->rest);
  model::Event* event = log.last_of(EventKind::aer);
  if (event == nullptr || event->severity == EventSeverity::corrected ||
      line.number - event->source.line > 512) {
    event = &log.add(line, EventKind::aer, EventSeverity::nonfatal, line.text);
    event->device = who->address;
  } else if (!contains(said, "broadcast")) {
    event->text = event_text(event->text + "; " + event_text(line.text));
  }
  log.name_device(who->address, kind_of_driver(who->driver), line);
  return true;
}

}  // namespace

Form aer_recovery_form() { return {words, take}; }

}  // namespace railgauge::observe
