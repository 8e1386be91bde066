#include "observe/kernel_log/aer_report.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::EventSeverity;

// Lines of one report stand together but for those of other devices; a report that says nothing
// for so many lines has ended. A guess: more than a hundred devices can report at once.
constexpr std::uint32_t lines_between = 512;
constexpr std::size_t reports_max = 4096;

constexpr std::array<std::pair<std::string_view, DeviceKind>, 17> drivers{{
    {"nvidia", DeviceKind::gpu},
    {"nouveau", DeviceKind::gpu},
    {"amdgpu", DeviceKind::gpu},
    {"nvidia-nvswitch", DeviceKind::nvswitch},
    {"mlx5_core", DeviceKind::nic},
    {"mlx4_core", DeviceKind::nic},
    {"bnxt_en", DeviceKind::nic},
    {"ice", DeviceKind::nic},
    {"irdma", DeviceKind::nic},
    {"i40e", DeviceKind::nic},
    {"ixgbe", DeviceKind::nic},
    {"igb", DeviceKind::nic},
    {"ena", DeviceKind::nic},
    {"efa", DeviceKind::nic},
    {"gve", DeviceKind::nic},
    {"hfi1", DeviceKind::nic},
    {"nvme", DeviceKind::nvme},
}};

}  // namespace

std::string_view without_aer(std::string_view words) {
  return words.substr(0, 5) == "AER: " ? words.substr(5) : words;
}

EventSeverity aer_severity(std::string_view words) {
  const std::string word = lower(words.substr(0, 64));
  if (contains(word, "non-fatal") || contains(word, "nonfatal")) return EventSeverity::nonfatal;
  if (contains(word, "fatal")) return EventSeverity::fatal;
  if (contains(word, "uncorrect") || contains(word, "recoverable")) return EventSeverity::nonfatal;
  return contains(word, "info") ? EventSeverity::information : EventSeverity::corrected;
}

OpenReport* open_report(EventLog& log, const model::PciAddress& device, const LogLine& line) {
  const auto found = log.reports.find(device);
  if (found == log.reports.end() || line.number - found->second.line > lines_between)
    return nullptr;
  found->second.line = line.number;
  return &found->second;
}

OpenReport& start_report(EventLog& log, const model::PciAddress& device, const LogLine& line) {
  if (log.reports.size() >= reports_max) log.reports.clear();
  model::Event& event = log.add(line, model::EventKind::aer, EventSeverity::corrected, line.text);
  event.device = device;
  const auto words = device_words(line.text);
  log.name_device(
      device, words && words->address == device ? kind_of_driver(words->driver) : DeviceKind::other,
      line);
  OpenReport& report = log.reports[device];
  report = OpenReport{log.last(), line.number, false, false, false};
  return report;
}

OpenReport& report_of(EventLog& log, const model::PciAddress& device, const LogLine& line) {
  OpenReport* open = open_report(log, device, line);
  return open != nullptr ? *open : start_report(log, device, line);
}

void add_bit(model::Event& event, std::string_view name, bool first) {
  const auto found = std::find(event.bits.begin(), event.bits.end(), name);
  if (found != event.bits.end()) {
    if (first) std::rotate(event.bits.begin(), found, found + 1);
    return;
  }
  constexpr std::size_t bits_max = 32;
  if (event.bits.size() >= bits_max) return;
  event.bits.insert(first ? event.bits.begin() : event.bits.end(), std::string(name));
}

DeviceKind kind_of_driver(std::string_view driver) {
  for (const auto& [name, kind] : drivers)
    if (driver == name) return kind;
  return DeviceKind::other;
}

}  // namespace railgauge::observe
