// Words of network drivers that change what can be expected of an adapter.
//   mlx5_core 0000:18:00.0 ens1np0: Link down
//   mlx5_core 0000:18:00.0: Port module event: module 0, Cable unplugged
//   mlx5_core 0000:29:00.0: mlx5_pcie_event:301:(pid 1202): PCIe slot advertised sufficient power
//   mlx5_core 0000:18:00.0: device's health compromised - reached miss count
#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/phrases.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 12> words{"mlx5_core ", "mlx4_core ", "bnxt_en ", "bnxt_re ",
                                                 "irdma ",     "i40e ",      "ixgbe ",   "ena 0",
                                                 "efa 0",      "hfi1 ",      "ice 0",    "gve 0"};

constexpr std::array<std::string_view, 12> drivers{"mlx5_core", "mlx4_core", "bnxt_en", "bnxt_re",
                                                   "irdma",     "i40e",      "ixgbe",   "ena",
                                                   "efa",       "hfi1",      "ice",     "gve"};

// Looked for in lower case; the first that occurs decides.
constexpr std::array<Phrase, 42> phrases{{
    {"cable unplugged", EventSeverity::nonfatal},
    {"cable plugged", EventSeverity::information},
    {"cable error", EventSeverity::nonfatal},
    {"port module event", EventSeverity::warning},
    {"advertised sufficient power", EventSeverity::information},
    {"insufficient power", EventSeverity::warning},
    {"power capability was not advertised", EventSeverity::information},
    {"link is down", EventSeverity::nonfatal},
    {"link down", EventSeverity::nonfatal},
    {"link is up", EventSeverity::information},
    {"link up", EventSeverity::information},
    {"health compromised", EventSeverity::fatal},
    {"fatal error", EventSeverity::fatal},
    {"assert_var", EventSeverity::fatal},
    {"assert_exit_ptr", EventSeverity::fatal},
    {"assert_callra", EventSeverity::fatal},
    {"synd 0x", EventSeverity::fatal},
    {"device recovery failed", EventSeverity::fatal},
    {"firmware internal error", EventSeverity::fatal},
    {"health recovery succeeded", EventSeverity::information},
    {"health", EventSeverity::warning},
    {"leaving the error state", EventSeverity::information},
    {"cmd_work_handler", EventSeverity::nonfatal},
    {"wait_func", EventSeverity::nonfatal},
    {"command completion", EventSeverity::warning},
    {"cmd timeout", EventSeverity::nonfatal},
    {"timeout. will cause a leak", EventSeverity::nonfatal},
    {"no completion", EventSeverity::nonfatal},  // "No done completion", hwrm of bnxt_en
    {"firmware version", EventSeverity::information},
    {"fw version", EventSeverity::information},
    {"high temperature", EventSeverity::warning},
    {"temperature", EventSeverity::warning},
    {"ib reset", EventSeverity::fatal},
    {"tx timeout", EventSeverity::nonfatal},
    {"transmit queue", EventSeverity::nonfatal},
    {"error msg timeout", EventSeverity::nonfatal},
    {"error cqe", EventSeverity::warning},
    {"failed reading", EventSeverity::warning},
    {"keep alive", EventSeverity::fatal},  // ena's watchdog
    {"reset", EventSeverity::warning},
    {"gpumem", EventSeverity::warning},
    {"out of memory", EventSeverity::warning},
}};

// The rest of one report of the firmware's assertion: dump after dump of registers.
bool is_health_dump(std::string_view said) {
  for (const std::string_view key :
       {"assert_var", "assert_exit_ptr", "assert_callra", "fw_ver", "time ", "hw_id", "rfr ",
        "severity ", "irisc_index", "synd ", "ext_synd", "raw fw_ver"})
    if (contains(said, key)) return true;
  return false;
}

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who || std::find(drivers.begin(), drivers.end(), who->driver) == drivers.end()) return false;
  if (contains(who->rest, "PCIe Bus Error") || contains(who->rest, "available PCIe")) return false;
  const std::string said = lower(who->rest.substr(0, 400));
  model::Event* before = log.last_of(model::EventKind::nic);
  if (before != nullptr && before->device == who->address &&
      line.number - before->source.line < 40 && before->severity == EventSeverity::fatal &&
      is_health_dump(said)) {
    if (contains(said, "synd 0x") && !contains(before->text, "synd 0x"))
      before->text = event_text(before->text + "; " + event_text(who->rest));
    return true;
  }
  const Phrase* phrase = phrase_in(said, phrases);
  if (phrase == nullptr) return false;
  model::Event& event = log.add(line, model::EventKind::nic, phrase->severity, line.text);
  event.device = who->address;
  log.name_device(who->address, model::DeviceKind::nic, line);
  return true;
}

}  // namespace

Form nic_form() { return {words, take}; }

}  // namespace railgauge::observe
