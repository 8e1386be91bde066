// Blocks of the firmware's reports (ACPI APEI, GHES), numbered so that they can interleave:
//   {1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 512
//   {1}[Hardware Error]: event severity: corrected
//   {1}[Hardware Error]:   section_type: PCIe error
//   {1}[Hardware Error]:   port_type: 0, PCIe end point
//   {1}[Hardware Error]:   device_id: 0000:c1:00.0
//   {1}[Hardware Error]:   aer_cor_status: 0x00000001, aer_cor_mask: 0x00002000
// A block is one event; each further "Error 1" in it is another. A memory section makes it a
// memory error.
#include <fmt/format.h>

#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_bits.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"

namespace railgauge::observe {
namespace {

using model::Event;
using model::EventKind;
using model::EventSeverity;

constexpr std::array<std::string_view, 1> words{"}[Hardware Error]:"};
constexpr std::size_t blocks_max = 256;

std::size_t start(std::uint64_t block, std::string_view said, const LogLine& line, EventLog& log) {
  if (log.blocks.size() >= blocks_max) log.blocks.clear();
  log.add(line, EventKind::apei, EventSeverity::warning, said);
  return log.blocks[block] = log.last();
}

void lengthen(Event& event, std::string_view words_more) {
  event.text = event_text(event.text + "; " + std::string(trim(words_more)));
}

void take_device(Event& event, std::size_t index, std::string_view text, const LogLine& line,
                 EventLog& log) {
  const auto address = leading_address(trim(text));
  if (!address) return;
  event.device = *address;
  log.name_device(*address, model::DeviceKind::other, line);
  // The AER driver goes on about the same error, under the function's name.
  if (log.reports.size() >= 4096) log.reports.clear();
  log.reports[*address] = OpenReport{index, line.number, true, false, true};
}

void take_section(Event& event, std::string_view section) {
  if (contains(section, "memory") || contains(section, "processor"))
    event.kind = EventKind::memory_error;
  lengthen(event, section);
}

void take_status(Event& event, std::string_view said) {
  for (const bool corrected : {true, false}) {
    const std::string_view key = corrected ? "aer_cor_status: " : "aer_uncor_status: ";
    const auto status = after(said, key);
    if (!status) continue;
    const auto value = leading_hex(*status).value_or(0);
    const auto mask_text = after(*status, "mask: ");
    const auto mask = mask_text ? leading_hex(*mask_text).value_or(0) : 0;
    // Both registers are printed; the one that is not about this error is left from earlier.
    if (corrected != (event.severity == EventSeverity::corrected)) continue;
    for (const std::string& bit : aer_bits(corrected, value & ~mask)) add_bit(event, bit, false);
  }
}

bool take(const LogLine& line, EventLog& log) {
  if (line.text.substr(0, 1) != "{") return false;
  const auto block = leading_number(line.text.substr(1));
  const auto rest = after(line.text, "}[Hardware Error]:");
  if (!block || !rest) return false;
  const std::string_view said = trim(*rest);
  const auto known = log.blocks.find(*block);
  const bool begins = contains(said, "Hardware error from APEI");
  std::size_t index =
      known == log.blocks.end() || begins ? start(*block, said, line, log) : known->second;
  Event* event = log.at(index);
  if (event == nullptr) return true;
  const auto error_number =
      said.substr(0, 6) == "Error " ? leading_number(said.substr(6)) : std::nullopt;
  if (error_number && *error_number > 0) {
    const EventSeverity whole = event->severity;
    index = start(*block, said, line, log);
    event = log.at(index);
    if (event == nullptr) return true;
    event->severity = whole;
  }
  if (const auto severity = after(said, "event severity: "))
    event->severity = aer_severity(*severity);
  else if (error_number)
    if (const auto type = after(said, "type: ")) event->severity = aer_severity(*type);
  if (const auto section = after(said, "section_type: ")) take_section(*event, *section);
  for (const std::string_view key : {"port_type: ", "error_type: ", "DIMM location: "})
    if (said.substr(0, key.size()) == key) lengthen(*event, said);
  if (said.substr(0, 11) == "device_id: ") take_device(*event, index, said.substr(11), line, log);
  take_status(*event, said);
  return true;
}

}  // namespace

Form apei_form() { return {words, take}; }

}  // namespace railgauge::observe
