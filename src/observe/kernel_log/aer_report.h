// Which event a line of an AER report belongs to.
#pragma once

#include <string_view>

#include "observe/kernel_log/event_log.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {

// The words of a device without "AER: " before them.
std::string_view without_aer(std::string_view words);

// "Corrected", "Correctable", "Uncorrected (Non-Fatal)", "Uncorrectable (Fatal)", "fatal" …
model::EventSeverity aer_severity(std::string_view words);

// The report that is open for this function, if its last line was not long ago. Its event may be
// one that is not kept.
OpenReport* open_report(EventLog& log, const model::PciAddress& device, const LogLine& line);
// The same, or a new event of which this line is the first: a report whose head was cut.
OpenReport& report_of(EventLog& log, const model::PciAddress& device, const LogLine& line);
// A new event and its report, which replaces an older one of the function.
OpenReport& start_report(EventLog& log, const model::PciAddress& device, const LogLine& line);

// Adds a bit once; `first` puts it before the others.
void add_bit(model::Event& event, std::string_view name, bool first);

// What kind of device a driver drives; `other` for port services and the unknown.
model::DeviceKind kind_of_driver(std::string_view driver);

}  // namespace railgauge::observe
