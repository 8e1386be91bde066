// Lines of the kernel's own AER driver, 3.x to 6.x:
//   pcieport 0000:00:1b.0: AER: Corrected error received: 0000:00:1b.0          (or id=00d8)
//   pcieport 0000:00:1b.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)
//   pcieport 0000:00:1b.0:   device [8086:a29a] error status/mask=00000001/00002000
//   pcieport 0000:00:1b.0:    [ 0] RxErr                  (First)
// One report, of one to many lines, is one event. Its text is the line that says most.
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_bits.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 8> words{"error received: ", "error message received from ",
                                                "PCIe Bus Error: ", "error status/mask=",
                                                "TLP Header: ",     "of this Agent",
                                                "aer_status: ",     "aer_layer="};

// The function an id or an address names; the id has the domain of whoever tells.
std::optional<model::PciAddress> named(std::string_view text, std::uint32_t domain) {
  if (const auto id = after(text, "id=")) {
    const auto value = leading_hex(*id);
    if (value && *value <= 0xffff) return address_of_id(*value, domain);
  }
  return leading_address(trim(text));
}

// "AER: Multiple Corrected error received: 0000:00:1c.0": who told, and about whom.
bool take_header(const DeviceWords& who, std::string_view said, const LogLine& line,
                 EventLog& log) {
  auto about = after(said, "error received: ");
  if (!about) about = after(said, "error message received from ");
  if (!about) return false;
  const auto device = named(*about, who.address.domain);
  if (!device) {
    log.not_understood(line, "the address of a PCI function after \"error received: \"");
    return false;
  }
  start_report(log, *device, line);
  if (model::Event* event = log.at(log.last())) {
    event->reporter = who.address;
    event->severity = aer_severity(said);
  }
  log.name_device(who.address, model::DeviceKind::other, line);
  log.header = EventLog::Header{who.address, *device, line.number};
  return true;
}

// The report that a "PCIe Bus Error" line opens or goes on with. The header may have named another
// function: the root port itself, or only the first of several.
OpenReport& error_report(const model::PciAddress& device, const LogLine& line, EventLog& log) {
  OpenReport* open = open_report(log, device, line);
  if (open != nullptr && !open->has_error) return *open;
  if (log.header && line.number - log.header->line <= 64) {
    OpenReport* told = open_report(log, log.header->device, line);
    if (told != nullptr && !told->has_error && !told->apei) {
      if (model::Event* event = log.at(told->event)) event->device = device;
      const OpenReport moved = *told;
      log.reports.erase(log.header->device);
      return log.reports[device] = moved;
    }
  }
  OpenReport& fresh = start_report(log, device, line);
  if (log.header && line.number - log.header->line <= 64)
    if (model::Event* event = log.at(fresh.event)) event->reporter = log.header->reporter;
  return fresh;
}

bool take_error(const DeviceWords& who, std::string_view said, const LogLine& line, EventLog& log) {
  const auto severity = after(said, "severity=");
  if (!severity) return false;
  auto device = who.address;
  const auto type = after(*severity, "type=");
  OpenReport& report = error_report(device, line, log);
  report.has_error = true;
  log.name_device(device, kind_of_driver(who.driver), line);
  model::Event* event = log.at(report.event);
  if (event == nullptr) return true;
  event->severity = aer_severity(until(*severity, ","));
  if (type) event->layer = event_text(until(*type, ","));
  event->text = event_text(line.text);
  return true;
}

bool take_status(const DeviceWords& who, std::string_view said, const LogLine& line,
                 EventLog& log) {
  auto numbers = after(said, "error status/mask=");
  if (!numbers) numbers = after(said, "aer_status: ");
  if (!numbers) return false;
  const auto status = leading_hex(*numbers);
  auto mask_text = after(*numbers, "mask: ");
  if (!mask_text) mask_text = after(*numbers, "/");
  if (!status) {
    log.not_understood(line, "the numbers of an AER status");
    return false;
  }
  OpenReport* open = open_report(log, who.address, line);
  OpenReport& report =
      open != nullptr && !open->has_status ? *open : start_report(log, who.address, line);
  report.has_status = true;
  model::Event* event = log.at(report.event);
  if (event == nullptr) return true;
  // Without a head the register is known only by bits that the other one does not have.
  constexpr std::uint64_t bits_of_corrected = 0xf1c1;
  if (!report.has_error && !event->reporter && (*status & ~bits_of_corrected) != 0)
    event->severity = EventSeverity::nonfatal;
  const std::uint64_t mask = mask_text ? leading_hex(*mask_text).value_or(0) : 0;
  const bool corrected = event->severity == EventSeverity::corrected;
  for (const std::string& bit : aer_bits(corrected, *status & ~mask)) add_bit(*event, bit, false);
  return true;
}

// Lines that only add to a report that is open.
bool take_more(const DeviceWords& who, std::string_view said, const LogLine& line, EventLog& log) {
  OpenReport* open = open_report(log, who.address, line);
  if (open == nullptr) return false;
  if (const auto layer = after(said, "aer_layer="))
    if (model::Event* event = log.at(open->event)) event->layer = event_text(until(*layer, ","));
  return true;
}

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who) return false;
  const std::string_view said = without_aer(who->rest);
  return take_header(*who, said, line, log) || take_error(*who, said, line, log) ||
         take_status(*who, said, line, log) || take_more(*who, said, line, log);
}

}  // namespace

Form aer_form() { return {words, take}; }

}  // namespace railgauge::observe
