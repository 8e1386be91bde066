#include "judge/rules/pcie_errors_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "judge/rules/pcie_link_path.h"

namespace railgauge::judge {

using namespace model;

namespace {

constexpr int fallen_off_the_bus = 79;
constexpr double soon_seconds = 600;  // an error this long before a loss still counts as its sign

std::optional<double> clock_of(const Event& event) {
  return event.uptime_seconds ? event.uptime_seconds : event.clock_seconds;
}

std::optional<double> seconds_between(const Event& a, const Event& b) {
  if (a.source.index != b.source.index) return std::nullopt;
  const auto from = clock_of(a);
  const auto to = clock_of(b);
  return from && to ? std::optional<double>(*to - *from) : std::nullopt;
}

void rate(ErrorGroup& group, const Event& last) {
  const auto seconds = seconds_between(*group.first, last);
  constexpr double shortest = 60;
  if (seconds && *seconds >= shortest) {
    group.per_minute = static_cast<double>(group.count - group.first->count) * 60 / *seconds;
    group.many = *group.per_minute > most_corrected_per_minute;
    return;
  }
  group.per_minute = Reading<double>::not_reported("the log has no times, or spans no minute");
  group.many = group.count >= many_at_once;
}

// A loss of that GPU may follow from the error: it is below the port, or no tree says where it is
// and it is of the same domain.
bool may_follow(const Machine& machine, const ErrorGroup& group, DeviceId gpu) {
  const Device& device = machine[gpu];
  if (!device.address || !group.address) return false;
  if (*device.address == *group.address) return true;
  const auto port = machine.at(*group.address);
  if (port && is_gpu_or_fast_nic(machine[*port])) return false;
  if (device.parent && !port_above_unseen(machine, gpu)) {
    const auto path = ancestry(machine, gpu);
    return port && std::find(path.begin(), path.end(), *port) != path.end();
  }
  return device.address->domain == group.address->domain;
}

bool is_loss(const Event& event) {
  return (event.kind == EventKind::xid && event.code == fallen_off_the_bus) ||
         (event.kind == EventKind::gpu_driver && contains(event.text, "fallen off the bus"));
}

void find_lost(const Machine& machine, ErrorGroup& group) {
  const auto start = static_cast<std::size_t>(group.first - machine.events.data());
  for (std::size_t i = start; i < machine.events.size(); ++i) {
    const Event& event = machine.events[i];
    if (!is_loss(event) || !event.device) continue;
    const auto gpu = machine.at(*event.device);
    if (!gpu || !may_follow(machine, group, *gpu)) continue;
    const auto seconds = seconds_between(*group.first, event);
    if (seconds && (*seconds < 0 || *seconds > soon_seconds)) continue;
    if (std::find(group.lost.begin(), group.lost.end(), *gpu) == group.lost.end())
      group.lost.push_back(*gpu);
  }
}

void add_device(ErrorGroup& group, std::optional<DeviceId> id) {
  if (id && std::find(group.devices.begin(), group.devices.end(), *id) == group.devices.end())
    group.devices.push_back(*id);
}

}  // namespace

std::vector<ErrorGroup> error_groups(const Machine& machine, EventKind kind,
                                     EventSeverity severity) {
  std::vector<ErrorGroup> groups;
  std::vector<const Event*> last;
  std::map<std::optional<PciAddress>, std::size_t> places;
  for (const Event& event : machine.events) {
    if (event.kind != kind || event.severity != severity) continue;
    const auto address = event.device ? event.device : event.reporter;
    const auto [at, made] = places.try_emplace(address, groups.size());
    if (made) {
      groups.emplace_back();
      last.push_back(nullptr);
      groups.back().kind = kind;
      groups.back().address = address;
      groups.back().first = &event;
    }
    ErrorGroup& group = groups[at->second];
    last[at->second] = &event;
    group.count += event.count;
    group.bits.insert(event.bits.begin(), event.bits.end());
    if (!event.layer.empty()) group.layers.insert(event.layer);
    if (address) add_device(group, machine.at(*address));
    if (event.reporter) add_device(group, machine.at(*event.reporter));
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    rate(groups[i], *last[i]);
    find_lost(machine, groups[i]);
    for (const DeviceId gpu : groups[i].lost) add_device(groups[i], gpu);
  }
  return groups;
}

std::string meaning_of(const std::set<std::string>& bits) {
  const auto any = [&](std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return bits.contains(word); });
  };
  std::vector<std::string> out;
  if (any({"SDES"})) out.emplace_back("the link went down by surprise: the device or its power");
  if (any({"RxErr"})) out.emplace_back("receiver errors: signal integrity of the link");
  if (any({"BadTLP", "BadDLLP"})) out.emplace_back("packets arrived damaged: signal integrity");
  if (any({"Rollover", "Timeout"}))
    out.emplace_back("packets had to be sent again: the other end did not acknowledge them");
  if (any({"DLP"})) out.emplace_back("the data link protocol broke");
  if (any({"CmpltTO"})) out.emplace_back("a request was not answered in time");
  if (any({"MalfTLP"})) out.emplace_back("a malformed packet: payload sizes differ, or hardware");
  if (any({"TLP"})) out.emplace_back("poisoned data arrived: the sender knew that it was bad");
  if (any({"ACSViol"})) out.emplace_back("access control refused a request");
  if (any({"UnsupReq"})) out.emplace_back("a request that the device does not know");
  if (out.empty() && any({"NonFatalErr", "AdvNonFatalErr"}))
    out.emplace_back("advisory: something asked what is not there, mostly software");
  return fmt::format("{}", fmt::join(out, "; "));
}

bool carries_no_traffic(const Machine& machine, const ErrorGroup& group) {
  if (!group.lost.empty() || !group.address) return false;
  const auto id = machine.at(*group.address);
  if (!id) return false;
  const Device& device = machine[*id];
  if (device.kind == DeviceKind::nvme) return true;
  if (device.kind == DeviceKind::nic) return !is_fast_nic(device);
  const bool tree =
      std::any_of(machine.devices.begin(), machine.devices.end(),
                  [](const Device& d) { return d.kind == DeviceKind::gpu && d.parent; });
  if (!tree || device.kind == DeviceKind::gpu) return false;
  return served_by(machine, *id).empty();
}

Finding& fail_group(const Machine& machine, const ErrorGroup& group, std::string text,
                    Verdicts& out) {
  const auto id = group.address ? machine.at(*group.address) : std::nullopt;
  Finding& finding =
      id ? out.fail(machine, *id, std::move(text))
         : out.fail(group.address ? group.address->text() : "a PCIe function", std::move(text));
  finding.devices = group.devices;
  finding.evidence.push_back(
      {"kernel log", group.first->text, {}, machine.sources.text(group.first->source)});
  for (const DeviceId gpu : group.lost)
    finding.text += fmt::format("; then {} fell off the bus", machine[gpu].id);
  return finding;
}

}  // namespace railgauge::judge
