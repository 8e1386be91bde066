// What the kernel said that it had not said before. A log is a ring and may have lost its
// beginning, so fewer events than before are no difference.
#include <map>
#include <tuple>

#include "model/compare/sides.h"

namespace railgauge::model::comparing {
namespace {

using Key = std::tuple<EventKind, EventSeverity, std::string, std::optional<int>,
                       std::optional<int>, std::optional<int>, std::vector<std::string>>;

// The device as `before` calls it, so that a moved one is the same; else its address.
std::string place(const Sides& sides, bool on_after, const Event& event) {
  if (!event.device) return "";
  const Machine& machine = on_after ? sides.after : sides.before;
  const auto id = machine.at(*event.device);
  if (!id) return event.device->text();
  const auto before = on_after ? sides.match.before(*id) : id;
  return before ? sides.label(*before) : Sides::label_of(machine, *id);
}

Key key_of(const Sides& sides, bool on_after, const Event& event) {
  return {event.kind, event.severity, place(sides, on_after, event), event.code, event.subcode,
          event.link, event.bits};
}

}  // namespace

std::string event_name(const Event& event, bool bits) {
  switch (event.kind) {
    case EventKind::xid: return "Xid " + (event.code ? std::to_string(*event.code) : "");
    case EventKind::sxid: return "SXid " + (event.code ? std::to_string(*event.code) : "");
    case EventKind::aer: {
      std::string out = "PCIe error (AER, " + std::string(text(event.severity)) + ")";
      if (bits && !event.bits.empty()) out += " " + list_words(event.bits, 4);
      return out;
    }
    case EventKind::nic: return "NIC driver message";
    case EventKind::gpu_driver: return "GPU driver message";
    case EventKind::iommu: return "IOMMU message";
    default: break;
  }
  std::string word(text(event.kind));
  for (char& c : word)
    if (c == '_') c = ' ';
  return word + " message";
}

void compare_events(Sides& sides) {
  std::map<Key, std::uint64_t> seen;
  for (const EventGroup& group : event_groups(sides.before.events))
    seen[key_of(sides, false, group.first)] += group.count;
  const bool had_log = !sides.before.events.empty();
  for (const EventGroup& group : event_groups(sides.after.events)) {
    const auto found = seen.find(key_of(sides, true, group.first));
    const std::uint64_t before = found == seen.end() ? 0 : found->second;
    if (group.count <= before) continue;
    if (!had_log && !sides.evidence.lacking_in_list(true, group.first.source)) continue;
    const Event& event = group.first;
    Difference out;
    out.topic = event.severity == EventSeverity::information ? Topic::activity : Topic::health;
    out.kind = before == 0 ? Change::added : Change::grew;
    const std::string where = place(sides, true, event);
    out.subject = where.empty() ? "host" : where;
    out.key = "events." + std::string(text(event.kind));
    if (before > 0) out.before = std::to_string(before);
    out.after = std::to_string(group.count);
    out.after_source = event.source;
    out.weight = event.severity >= EventSeverity::nonfatal ? weight_lost : weight_slower;
    out.text = event_name(event, true) + " on " + out.subject + ": " +
               std::to_string(group.count - before) + " new (" + event.text + ")";
    sides.say(std::move(out));
  }
}

}  // namespace railgauge::model::comparing
