// NVRM's Xid lines, in the forms of all driver generations:
//   NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s …
//   NVRM: Xid (0000:01:00): 31, Ch 00000008 …                                (before 319)
//   NVRM: Xid (PCI:0000:3b:00 GPU-I:05): 31, pid='<unknown>', …              (a MIG part)
//   NVRM: Xid (PCI:0000:04:00): 145, RLW_REMAP Nonfatal XC1 i0 Link 07 (0x00000004 0x…)
//   NVRM: Xid (PCI:0000:04:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (…)
#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 1> words{"Xid ("};

// What a code says by itself; all others are nonfatal. Source: NVIDIA's Xid catalog, whose actions
// are "restart the application" (here warning), "reset the GPU" and "contact support" (fatal).
struct Row {
  int code;
  EventSeverity severity;
};
constexpr std::array<Row, 25> rows{{
    {13, EventSeverity::warning},    // graphics engine exception: mostly the application
    {31, EventSeverity::warning},    // MMU fault: mostly the application
    {43, EventSeverity::warning},    // the channel was stopped after an application fault
    {45, EventSeverity::warning},    // pre-emptive cleanup: a consequence of another
    {68, EventSeverity::warning},    // video processor exception
    {69, EventSeverity::warning},    // graphics class error
    {137, EventSeverity::warning},   // NVLink privilege error: mostly the application
    {63, EventSeverity::warning},    // row remapping recorded: takes effect at the next reset
    {92, EventSeverity::corrected},  // many single-bit errors
    {48, EventSeverity::fatal},      // double-bit ECC error
    {61, EventSeverity::fatal},      // internal micro-controller breakpoint
    {62, EventSeverity::fatal},      // internal micro-controller halt
    {64, EventSeverity::fatal},      // row remapping failed
    {79, EventSeverity::fatal},      // fell off the bus
    {95, EventSeverity::fatal},      // uncontained memory error
    {109, EventSeverity::fatal},     // context switch timeout
    {110, EventSeverity::fatal},     // security fault
    {119, EventSeverity::fatal},     // GSP does not answer
    {120, EventSeverity::fatal},     // GSP error
    {123, EventSeverity::fatal},     // power management unit
    {136, EventSeverity::fatal},     // link training failed
    {140, EventSeverity::fatal},     // unrecovered ECC error
    {143, EventSeverity::fatal},     // initialisation failed
    {155, EventSeverity::fatal},     // NVLink software error
    {158, EventSeverity::fatal},     // GPU fatal timeout
}};

EventSeverity severity_of(int code, std::string_view said) {
  if (code >= 144 && code <= 150) {
    if (contains(said, " Nonfatal") || contains(said, " Non-fatal")) return EventSeverity::nonfatal;
    return contains(said, " Fatal") ? EventSeverity::fatal : EventSeverity::nonfatal;
  }
  if (code == 154) {  // the action that is needed from now on
    const auto now = after(said, " to ");
    return now && contains(*now, "(None)") ? EventSeverity::information : EventSeverity::fatal;
  }
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.code == code; });
  return found == rows.end() ? EventSeverity::nonfatal : found->severity;
}

// "PCI:0000:9b:00", "PCI:0000:9b:00.0", "0000:01:00", "0002:00" (bus and device of 2012). Nothing
// for "GPU 0" and the like, which name no place.
std::optional<model::PciAddress> place(std::string_view text) {
  if (text.substr(0, 4) == "PCI:") text.remove_prefix(4);
  text = until(text, " ");
  if (const auto address = model::PciAddress::parse(text)) return address;
  const auto fields = split(text, ':');
  if (fields.size() != 2) return std::nullopt;
  const auto bus = parse_hex(fields[0]);
  const auto device = parse_hex(fields[1]);
  if (!bus || !device || *bus > 0xff || *device > 31) return std::nullopt;
  return model::PciAddress{0, static_cast<std::uint8_t>(*bus), static_cast<std::uint8_t>(*device),
                           0};
}

void take_process(std::string_view said, model::Event& event) {
  if (const auto pid = after(said, "pid=")) event.process_id = leading_int(*pid);
  if (const auto name = after(said, ", name="))
    event.process = event_text(until(*name, ",").substr(0, 64));
  if (event.process == "<unknown>") event.process.clear();
}

// "RLW_REMAP Nonfatal XC1 i0 Link 07 (0x00000004 …": the unit, and bits 25-20 of the first word,
// which NVIDIA's catalog tells rules apart by.
void take_nvlink5(std::string_view said, model::Event& event) {
  const std::string_view unit = until(trim(said), " ,");
  if (!contains(unit, "=")) event.layer = event_text(unit.substr(0, 40));
  if (const auto link = after(said, "Link ")) event.link = leading_int(*link);
  const auto registers = after(said, "(0x");
  const auto info = registers ? leading_hex(*registers) : std::nullopt;
  if (info) event.subcode = static_cast<int>(*info >> 20 & 0x3f);
}

bool take(const LogLine& line, EventLog& log) {
  const auto inside = after(line.text, "Xid (");
  if (!inside || !contains(line.text, "NVRM:")) return false;
  const auto rest = after(*inside, "):");
  const auto code = rest ? leading_int(*rest) : std::nullopt;
  if (!code) {
    log.not_understood(line, "a number after \"Xid (…): \"");
    return false;
  }
  const std::string_view where = until(*inside, ")");
  const auto comma = rest->find(',');
  const std::string_view said =
      comma == std::string_view::npos ? std::string_view{} : trim(rest->substr(comma + 1));
  model::Event& event = log.add(line, model::EventKind::xid, severity_of(*code, said), line.text);
  event.code = code;
  event.device = place(where);
  take_process(said, event);
  if (*code >= 144 && *code <= 150) take_nvlink5(said, event);
  if (*code == 74)  // "NVLink: fatal error detected on link 4(…"
    if (const auto link = after(said, "on link ")) event.link = leading_int(*link);
  if (event.device)
    log.name_device(*event.device, model::DeviceKind::gpu, line);
  else if (contains(where, ":"))
    log.not_understood(line, "a PCI address in \"Xid (…)\"");
  return true;
}

}  // namespace

Form xid_form() { return {words, take}; }

}  // namespace railgauge::observe
