// "pcieport 0000:00:1b.0:    [ 0] RxErr                  (First)": one bit of a report. Kernels
// before 4.20 write long names, "[12] Replay Timer Timeout".
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_bits.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 36> words{
    "] RxErr",   "] BadTLP",   "] BadDLLP",  "] Rollover", "] Timeout",  "] NonFatalErr",
    "] CorrInt", "] HeaderOF", "] Undefin",  "] DLP",      "] SDES",     "] TLP",
    "] FCP",     "] Cmplt",    "] UnxCmplt", "] RxOF",     "] MalfTLP",  "] ECRC",
    "] Unsup",   "] ACS",      "] Uncorr",   "] Blocked",  "] AtomicOp", "] Poison",
    "] DMWrReq", "] IDECheck", "] MisIDE",   "] PCRC",     "] Receiver", "] Bad ",
    "] RELAY",   "] Replay T", "] Advisory", "] Surprise", "] Completi", "] Data Link"};

// "[ 5] SDES       (First)" in two.
struct Bit {
  int number = 0;
  std::string_view name;
  bool first = false;
};
std::optional<Bit> parse_bit(std::string_view text) {
  text = trim(text);
  if (text.size() < 5 || text[0] != '[') return std::nullopt;
  const auto close = text.find(']');
  if (close > 4) return std::nullopt;
  const auto number = parse_int(text.substr(1, close - 1));
  if (!number || *number < 0 || *number > 31) return std::nullopt;
  Bit out;
  out.number = static_cast<int>(*number);
  const std::string_view rest = text.substr(close + 1);
  out.first = contains(rest, "(First)");
  out.name = trim(rest.substr(0, rest.find('(')));
  return out;
}

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who) return false;
  const auto bit = parse_bit(without_aer(who->rest));
  if (!bit) return false;
  const AerBit known = aer_bit(bit->name);
  OpenReport* open = open_report(log, who->address, line);
  if (open == nullptr) {
    if (!known.known) return false;
    open = &start_report(log, who->address, line);
    if (model::Event* event = log.at(open->event))
      event->severity = known.corrected ? EventSeverity::corrected : EventSeverity::nonfatal;
  }
  model::Event* event = log.at(open->event);
  if (event == nullptr) return true;
  // The number decides, since a name may be of a kernel that we do not know.
  const std::string_view by_number =
      aer_bit_name(event->severity == EventSeverity::corrected, bit->number);
  const std::string_view name = known.known ? known.name : by_number;
  add_bit(*event, name.empty() ? event_text(bit->name.substr(0, 40)) : std::string(name),
          bit->first);
  return true;
}

}  // namespace

Form aer_bit_form() { return {words, take}; }

}  // namespace railgauge::observe
