#include "present/event_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Event;
using model::EventKind;

std::string kind_words(const Event& event) {
  switch (event.kind) {
    case EventKind::aer: return "PCIe error";
    case EventKind::apei: return "hardware error (firmware)";
    case EventKind::pcie_limited: return "PCIe bandwidth limited";
    case EventKind::pcie_bandwidth: return "PCIe bandwidth";
    case EventKind::pcie_hotplug: return "PCIe link";
    case EventKind::xid: return "Xid";
    case EventKind::sxid: return "SXid";
    case EventKind::gpu_driver: return "GPU driver";
    case EventKind::nic: return "NIC driver";
    case EventKind::peer_memory: return "peer memory";
    case EventKind::iommu: return "IOMMU fault";
    case EventKind::memory_error: return "memory error";
    case EventKind::segfault: return "crash in a library";
    case EventKind::hung_task: return "hung task";
    case EventKind::out_of_memory: return "out of memory";
  }
  return "event";
}

std::string number_words(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

std::string grouped(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

}  // namespace

std::string event_words(const Event& event) {
  std::string out = kind_words(event);
  if (event.code) out += fmt::format(" {}", *event.code);
  if (event.subcode) out += fmt::format(".{}", *event.subcode);
  if (event.link) out += fmt::format(" link {}", *event.link);
  if (!event.bits.empty()) {
    out += " ";
    for (std::size_t i = 0; i < event.bits.size(); ++i)
      out += (i == 0 ? "" : "+") + clean(event.bits[i]);
  }
  if (!event.layer.empty()) out += " (" + clean(event.layer) + ")";
  return out;
}

std::string often_words(const model::EventGroup& group) {
  std::string out = group.count > 1 ? "×" + grouped(group.count) : std::string();
  if (!group.per_hour) {
    const std::string why = group.per_hour.why();
    return why.starts_with("within ") ? out + " " + why : out;
  }
  const double per_hour = *group.per_hour;
  const std::string rate =
      per_hour >= 1 ? number_words(per_hour) + "/h" : number_words(per_hour * 24) + "/day";
  return out + (out.empty() ? "" : ", ") + rate;
}

std::string event_device(const model::Machine& machine, const Event& event) {
  if (!event.device) return {};
  const std::string address = event.device->text();
  const auto device = machine.at(*event.device);
  return device ? id_of(machine, *device) + " (" + address + ")" : address;
}

std::string when_words(const Event& event) {
  if (!event.wall_time.empty()) return clean(event.wall_time);
  return event.uptime_seconds ? fmt::format("{:.1f} s after boot", *event.uptime_seconds)
                              : std::string();
}

std::vector<model::EventGroup> ordered_events(const model::Machine& machine) {
  auto groups = model::event_groups(machine.events);
  const auto healthy = [](const model::EventGroup& group) {
    return group.first.severity == model::EventSeverity::information;
  };
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const model::EventGroup& a, const model::EventGroup& b) {
                     if (healthy(a) != healthy(b)) return healthy(b);
                     if (a.first.severity != b.first.severity)
                       return a.first.severity > b.first.severity;
                     return a.count > b.count;
                   });
  return groups;
}

}  // namespace railgauge::present
