// Other words of NVIDIA's driver. "GPU at PCI:…: GPU-uuid" is no event, and would be an identity.
//   NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.
//   NVRM: GPU 0000:9b:00.0: RmInitAdapter failed! (0x62:0x40:2393)
//   NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30).
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/phrases.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 8> words{
    "fallen off the bus", "RmInitAdapter failed", "GPU is lost",       "probe routine failed",
    "Rate limiting GSP",  "API mismatch",         "uncorrectable ECC", "requires a reset"};

constexpr std::array<Phrase, 7> phrases{{
    {"fallen off the bus", EventSeverity::fatal},
    {"RmInitAdapter failed", EventSeverity::fatal},
    {"GPU is lost", EventSeverity::fatal},
    {"probe routine failed", EventSeverity::fatal},
    {"requires a reset", EventSeverity::fatal},
    {"API mismatch", EventSeverity::warning},
    {"uncorrectable ECC", EventSeverity::nonfatal},
}};

// "GPU 0000:9b:00.0: …", "GPU at PCI:0000:9b:00.0", "GPU at 0000:9b:00.0"
std::optional<model::PciAddress> place(std::string_view text) {
  for (const std::string_view key : {"GPU at PCI:", "GPU at ", "GPU "}) {
    const auto rest = after(text, key);
    if (!rest) continue;
    const auto token = rest->substr(0, rest->find_first_not_of("0123456789abcdefABCDEF:."));
    if (!contains(token, ":")) continue;
    std::string_view address = token;
    while (!address.empty() && (address.back() == ':' || address.back() == '.'))
      address.remove_suffix(1);
    if (const auto found = model::PciAddress::parse(address)) return found;
  }
  return find_address(text);
}

bool take(const LogLine& line, EventLog& log) {
  if (!contains(line.text, "NVRM:") && line.text.substr(0, 6) != "nvidia") return false;
  if (contains(line.text, "Xid (")) return false;
  if (contains(line.text, "Rate limiting GSP")) {
    log.remark(
        model::RemarkLevel::note,
        "from here on the driver prints only some of its GSP timeouts: " + event_text(line.text),
        line);
    return true;
  }
  const Phrase* phrase = phrase_in(line.text, phrases);
  if (phrase == nullptr) return false;
  const auto device = place(line.text);
  // The same loss, told again in the lines after an Xid or by another part of the driver.
  if (phrase->words == "fallen off the bus") {
    const model::Event* xid = log.last_of(model::EventKind::xid);
    if (xid != nullptr && xid->code == 79 && (!device || xid->device == device) &&
        line.number - xid->source.line < 8)
      return true;
  }
  model::Event& event = log.add(line, model::EventKind::gpu_driver, phrase->severity, line.text);
  event.device = device;
  if (device) log.name_device(*device, model::DeviceKind::gpu, line);
  return true;
}

}  // namespace

Form nvidia_driver_form() { return {words, take}; }

}  // namespace railgauge::observe
