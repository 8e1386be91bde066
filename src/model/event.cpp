#include "model/event.h"

#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace railgauge::model {
namespace {

constexpr std::array<std::pair<EventKind, std::string_view>, 15> kinds{{
    {EventKind::aer, "aer"},
    {EventKind::apei, "apei"},
    {EventKind::pcie_limited, "pcie_limited"},
    {EventKind::pcie_bandwidth, "pcie_bandwidth"},
    {EventKind::pcie_hotplug, "pcie_hotplug"},
    {EventKind::xid, "xid"},
    {EventKind::sxid, "sxid"},
    {EventKind::gpu_driver, "gpu_driver"},
    {EventKind::nic, "nic"},
    {EventKind::peer_memory, "peer_memory"},
    {EventKind::iommu, "iommu"},
    {EventKind::memory_error, "memory_error"},
    {EventKind::segfault, "segfault"},
    {EventKind::hung_task, "hung_task"},
    {EventKind::out_of_memory, "out_of_memory"},
}};

constexpr std::array<std::pair<EventSeverity, std::string_view>, 5> severities{{
    {EventSeverity::information, "information"},
    {EventSeverity::corrected, "corrected"},
    {EventSeverity::warning, "warning"},
    {EventSeverity::nonfatal, "nonfatal"},
    {EventSeverity::fatal, "fatal"},
}};

// A burst says nothing about an hour: two events a second apart are not 3600 per hour.
constexpr double shortest_span_seconds = 60;

// Kinds that no number tells apart: their words do, without the numbers in them.
bool told_by_words(EventKind kind) {
  switch (kind) {
    case EventKind::pcie_hotplug:
    case EventKind::gpu_driver:
    case EventKind::nic:
    case EventKind::peer_memory:
    case EventKind::iommu:
    case EventKind::segfault:
    case EventKind::hung_task:
    case EventKind::out_of_memory: return true;
    default: return false;
  }
}

constexpr std::size_t compared_words_bytes = 120;

std::string words_without_numbers(std::string_view text) {
  std::string out;
  bool number = false;
  for (const char c : text.substr(0, compared_words_bytes)) {
    const bool digit = (c >= '0' && c <= '9') || (number && ((c >= 'a' && c <= 'f') || c == 'x'));
    if (!digit) out += c;
    if (digit && !number) out += '#';
    number = digit;
  }
  return out;
}

using Key = std::tuple<EventKind, EventSeverity, std::optional<PciAddress>, std::optional<int>,
                       std::optional<int>, std::optional<int>, std::string,
                       std::vector<std::string>, std::string>;

Key key_of(const Event& event) {
  return {event.kind,
          event.severity,
          event.device,
          event.code,
          event.subcode,
          event.link,
          event.layer,
          event.bits,
          told_by_words(event.kind) ? words_without_numbers(event.text) : std::string()};
}

// Seconds from one event to another; nothing when they have no clock in common.
std::optional<double> between(const Event& first, const Event& last) {
  if (first.uptime_seconds && last.uptime_seconds)
    return *last.uptime_seconds - *first.uptime_seconds;
  if (first.clock_seconds && last.clock_seconds && first.source.index == last.source.index)
    return *last.clock_seconds - *first.clock_seconds;
  return std::nullopt;
}

Reading<double> rate_of(std::span<const Event> events, const EventGroup& group) {
  const Event& first = events[group.members.front()];
  const auto seconds = between(first, events[group.members.back()]);
  if (!seconds) return Reading<double>::not_reported("the log has no times");
  if (group.members.size() < 2 || !(*seconds > 0))
    return Reading<double>::not_reported("a rate needs two events at different times");
  if (*seconds < shortest_span_seconds)
    return Reading<double>::not_reported("within " +
                                         std::to_string(static_cast<int>(*seconds) + 1) + " s");
  // The first event opens the time span and is not one that happened during it.
  return static_cast<double>(group.count - first.count) * 3600.0 / *seconds;
}

}  // namespace

std::string_view text(EventKind kind) {
  for (const auto& [value, word] : kinds)
    if (value == kind) return word;
  return "gpu_driver";
}

std::string_view text(EventSeverity severity) {
  for (const auto& [value, word] : severities)
    if (value == severity) return word;
  return "information";
}

std::vector<EventGroup> event_groups(std::span<const Event> events) {
  std::vector<EventGroup> groups;
  std::map<Key, std::size_t> places;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto [place, added] = places.try_emplace(key_of(events[i]), groups.size());
    if (added) {
      groups.emplace_back();
      groups.back().first = events[i];
    }
    EventGroup& group = groups[place->second];
    group.count += events[i].count;
    group.last_time = events[i].wall_time;
    group.members.push_back(i);
  }
  for (EventGroup& group : groups) group.per_hour = rate_of(events, group);
  return groups;
}

}  // namespace railgauge::model
