// Devices that come and go: pciehp, surprise removal, power states that a device does not leave.
//   pcieport 0000:00:1c.5: pciehp: Slot(5): Link Down
//   pciehp 0000:00:1c.5:pcie004: Slot(5): Card not present
//   nvidia 0000:9b:00.0: Unable to change power state from D3cold to D0, device inaccessible
#include <array>

#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/phrases.h"

namespace railgauge::observe {
namespace {

using model::EventKind;
using model::EventSeverity;

constexpr std::array<std::string_view, 10> words{"Link Down",          "Link Up",
                                                 "Card not present",   "Card present",
                                                 "Surprise Down",      "surprise removal",
                                                 "change power state", "refused to change power",
                                                 "not ready",          "link retraining failed"};

constexpr std::array<Phrase, 12> phrases{{
    {"Link Down", EventSeverity::nonfatal},
    {"Link Up", EventSeverity::information},
    {"Card not present", EventSeverity::nonfatal},
    {"Card present", EventSeverity::information},
    {"Surprise Down", EventSeverity::fatal},
    {"surprise removal", EventSeverity::fatal},
    {"can't change power state", EventSeverity::fatal},
    {"Unable to change power state", EventSeverity::fatal},
    {"efused to change power state", EventSeverity::fatal},
    {"giving up", EventSeverity::fatal},  // "not ready 65535ms after FLR; giving up"
    {"not ready", EventSeverity::warning},
    {"link retraining failed", EventSeverity::nonfatal},
}};

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who) return false;
  const bool slot = line.text.find("Slot(") != std::string_view::npos;
  const Phrase* phrase = phrase_in(who->rest, phrases);
  if (phrase == nullptr) return false;
  // Network drivers say "Link Up" of their cables, and "not ready" is said of many things.
  if (phrase->words.substr(0, 5) == "Link " && !slot) return false;
  if (phrase->words == "not ready" && who->rest.find("not ready") > 4 &&
      who->rest.find("ms after") == std::string_view::npos)
    return false;
  model::Event& event = log.add(line, EventKind::pcie_hotplug, phrase->severity, line.text);
  event.device = who->address;
  log.name_device(who->address, kind_of_driver(who->driver), line);
  return true;
}

}  // namespace

Form pcie_hotplug_form() { return {words, take}; }

}  // namespace railgauge::observe
