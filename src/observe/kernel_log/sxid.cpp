// NVSwitch errors, and the lines that go on about them:
//   nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore MCTO
//   nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Severity 0 Engine instance 46 …
//   nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Data {0x00140004, …}
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 1> words{"SXid ("};

bool goes_on(std::string_view said) {
  return said.substr(0, 9) == "Severity " || said.substr(0, 5) == "Data ";
}

bool take(const LogLine& line, EventLog& log) {
  const auto inside = after(line.text, "SXid (");
  const auto rest = inside ? after(*inside, "):") : std::nullopt;
  const auto code = rest ? leading_int(*rest) : std::nullopt;
  if (!code) {
    log.not_understood(line, "a number after \"SXid (…): \"");
    return false;
  }
  std::string_view place = until(*inside, ")");
  if (place.substr(0, 4) == "PCI:") place.remove_prefix(4);
  const auto device = model::PciAddress::parse(place);
  const auto comma = rest->find(',');
  const std::string_view said =
      comma == std::string_view::npos ? std::string_view{} : trim(rest->substr(comma + 1));
  if (goes_on(said)) {
    const model::Event* event = log.last_of(model::EventKind::sxid);
    if (event != nullptr && event->code == code && event->device == device) return true;
  }
  const bool nonfatal = contains(said, "Non-fatal") || contains(said, "Nonfatal");
  const EventSeverity severity = !nonfatal && contains(said, "Fatal") ? EventSeverity::fatal
                                 : nonfatal                           ? EventSeverity::nonfatal
                                                                      : EventSeverity::warning;
  model::Event& event = log.add(line, model::EventKind::sxid, severity, line.text);
  event.code = code;
  event.device = device;
  if (const auto link = after(said, "Link ")) event.link = leading_int(*link);
  if (!device) return true;
  log.name_device(*device, model::DeviceKind::nvswitch, line);
  if (const auto number = after(line.text, "nvidia-nvswitch"))
    log.number_device(*device, leading_int(*number), line);
  return true;
}

}  // namespace

Form sxid_form() { return {words, take}; }

}  // namespace railgauge::observe
