#include "observe/kernel_log/event_log.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t remarks_max = 200;
constexpr std::size_t devices_max = 4096;  // more than the functions of the largest host

constexpr std::size_t hosts_named_max = 8;

}  // namespace

EventLog::EventLog(const std::string& source_name, std::size_t events_max)
    : events_max_(events_max) {
  source_ = machine.sources.add(source_name, model::Trust::tool);
}

model::Event& EventLog::add(const LogLine& line, model::EventKind kind,
                            model::EventSeverity severity, std::string_view words) {
  model::Event event;
  event.kind = kind;
  event.severity = severity;
  event.uptime_seconds = line.uptime_seconds;
  event.wall_time = line.wall_time;
  event.clock_seconds = line.clock_seconds;
  event.count = line.count;
  event.text = event_text(words);
  event.source = here(line);
  if (!line.host.empty() && !machine.host.hostname) {
    machine.host.hostname.claim(valid_utf8(line.host), event.source);
  }
  if (machine.events.size() >= events_max_) {
    dropped_ += line.count;
    last_ = no_event;
    scratch_ = std::move(event);
    return scratch_;
  }
  last_ = machine.events.size();
  last_of_kind_[kind] = last_;
  machine.events.push_back(std::move(event));
  return machine.events.back();
}

model::Event* EventLog::at(std::size_t index) {
  return index < machine.events.size() ? &machine.events[index] : nullptr;
}

model::Event* EventLog::last_of(model::EventKind kind) {
  const auto found = last_of_kind_.find(kind);
  return found == last_of_kind_.end() ? nullptr : at(found->second);
}

void EventLog::name_device(const model::PciAddress& address, model::DeviceKind kind,
                           const LogLine& line) {
  if (devices_.size() >= devices_max && devices_.count(address) == 0) return;
  const auto [place, added] = devices_.try_emplace(address, Named{kind, here(line), {}});
  if (!added && place->second.kind == model::DeviceKind::other) place->second.kind = kind;
}

void EventLog::number_device(const model::PciAddress& address, std::optional<int> index,
                             const LogLine& line) {
  const auto found = devices_.find(address);
  if (found == devices_.end() || found->second.index || !index) return;
  found->second.index = index;
  found->second.source = here(line);
}

void EventLog::remark(model::RemarkLevel level, std::string text, const LogLine& line) {
  if (machine.remarks.size() >= remarks_max)
    ++dropped_remarks_;
  else
    machine.remark(level, std::move(text), here(line));
}

void EventLog::not_understood(const LogLine& line, std::string_view expected) {
  remark(model::RemarkLevel::warning,
         fmt::format("expected {}, found {}", expected, railgauge::quoted(line.text, 120)), line);
}

void EventLog::pass_over_host(const LogLine& line) {
  ++other_host_lines_;
  if (other_hosts_.size() < hosts_named_max) other_hosts_.insert(valid_utf8(line.host));
}

model::Machine EventLog::finish() {
  if (other_host_lines_ > 0) {
    std::string names;
    for (const std::string& name : other_hosts_) names += (names.empty() ? "" : ", ") + name;
    machine.remark(model::RemarkLevel::warning,
                   fmt::format("{} lines of other hosts ({}) are passed over; give each host's log "
                               "in a file of its own",
                               other_host_lines_, names),
                   source_);
  }
  for (const auto& [address, named] : devices_) {
    const auto id = machine.add(named.kind, named.source);
    machine[id].address.claim(address, named.source);
    if (named.index) machine[id].index.claim(*named.index, named.source);
  }
  if (dropped_ > 0)
    machine.remark(
        model::RemarkLevel::warning,
        fmt::format("{} more events after the first {} are not kept", dropped_, events_max_),
        source_);
  if (dropped_remarks_ > 0)
    machine.remark(model::RemarkLevel::note,
                   fmt::format("{} more remarks of this kind", dropped_remarks_), source_);
  return std::move(machine);
}

}  // namespace railgauge::observe
