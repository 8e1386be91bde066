// What the kernel says when a driver asks how wide the path to its device is:
//   mlx5_core 0000:18:00.0: 504.112 Gb/s available PCIe bandwidth (32.0 GT/s PCIe x16 link)
//   0003:01:00.0: 7.876 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x1 link at
//     0003:00:00.0 (capable of 15.752 Gb/s with 8.0 GT/s PCIe x2 link)
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"

namespace railgauge::observe {
namespace {

using model::EventKind;
using model::EventSeverity;

constexpr std::array<std::string_view, 1> words{"available PCIe bandwidth"};

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who) {
    log.not_understood(line, "a device before its PCIe bandwidth");
    return false;
  }
  const auto limit = after(who->rest, "limited by ");
  const auto port_text = limit ? after(*limit, " at ") : std::nullopt;
  const auto port = port_text ? leading_address(*port_text) : std::nullopt;
  model::Event& event =
      log.add(line, limit ? EventKind::pcie_limited : EventKind::pcie_bandwidth,
              limit ? EventSeverity::warning : EventSeverity::information, line.text);
  event.device = who->address;
  event.reporter = port;
  log.name_device(who->address, kind_of_driver(who->driver), line);
  if (port) log.name_device(*port, model::DeviceKind::other, line);
  if (limit && !port) log.not_understood(line, "the address of the narrow port after \"at\"");
  return true;
}

}  // namespace

Form pcie_bandwidth_form() { return {words, take}; }

}  // namespace railgauge::observe
