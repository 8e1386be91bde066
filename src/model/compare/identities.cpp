// Serial numbers, UUIDs, GUIDs and MAC addresses. A device at its old address with other identities
// is another device; that is said once, not once per number.
#include "model/compare/sides.h"
#include "model/field_lists.h"

namespace railgauge::model::comparing {
namespace {

struct Replaced {
  std::string before;
  std::string after;
  SourceRef before_source;
  SourceRef after_source;
  std::string key;
};

void note(std::optional<Replaced>& into, Sides& sides, const char* key,
          const Fact<std::string>& before, const Fact<std::string>& after) {
  if (into) return;
  const auto verdict = sides.evidence.judge(before, after);
  if (verdict.before == nullptr || verdict.after == nullptr) return;
  into = Replaced{verdict.before->value, verdict.after->value, verdict.before->source,
                  verdict.after->source, key};
}

std::optional<Replaced> replaced(Sides& sides, const Device& was, const Device& is) {
  std::optional<Replaced> out;
  if (was.gpu && is.gpu) {
    note(out, sides, "serial", was.gpu->serial, is.gpu->serial);
    note(out, sides, "uuid", was.gpu->uuid, is.gpu->uuid);
  }
  if (was.nic && is.nic) {
    note(out, sides, "guid", was.nic->guid, is.nic->guid);
    for (const NicPort& port : was.nic->ports)
      for (const NicPort& other : is.nic->ports)
        if (port.number == other.number) note(out, sides, "mac", port.mac, other.mac);
  }
  return out;
}

bool same_product(const Device& was, const Device& is) {
  const bool ids = was.pci && is.pci && was.pci->id && is.pci->id;
  return !ids || *was.pci->id == *is.pci->id;
}

// The remaining identity facts of a device that is still the same one: a cluster, a subnet's LID.
template <class Owner>
void compare_rest(Sides& sides, const std::string& subject, const Owner& was, const Owner& is) {
  each_field<Owner>([&](const auto& field) {
    if (field.topic != Topic::identity) return;
    const auto verdict = sides.evidence.judge(was.*field.member, is.*field.member);
    if (verdict.differs()) sides.say(fact_difference(subject, field.key, Topic::identity, verdict));
  });
}

}  // namespace

void compare_identities(Sides& sides) {
  if (!sides.identities) return;
  for (const DeviceId id : sides.before.all()) {
    const auto same = sides.match.after(id);
    if (!same) continue;
    const Device& was = sides.before[id];
    const Device& is = sides.after[*same];
    const std::string label = sides.label(id);
    const auto other = sides.match.by_identity(id) ? std::nullopt : replaced(sides, was, is);
    if (other) {
      Difference out;
      out.topic = Topic::identity;
      out.subject = label;
      out.key = other->key;
      out.before = other->before;
      out.after = other->after;
      out.before_source = other->before_source;
      out.after_source = other->after_source;
      out.weight = weight_lost;
      out.text = label + " was replaced" +
                 (same_product(was, is) ? " by another of its kind: " : ": ") + other->key + " " +
                 other->before + " before, " + other->after + " now";
      sides.say(std::move(out));
      continue;
    }
    if (was.gpu && is.gpu) compare_rest(sides, label, *was.gpu, *is.gpu);
    if (!was.nic || !is.nic) continue;
    compare_rest(sides, label, *was.nic, *is.nic);
    for (const NicPort& port : was.nic->ports)
      for (const NicPort& now : is.nic->ports)
        if (port.number == now.number)
          compare_rest(sides, was.id + " port " + std::to_string(port.number), port, now);
  }
  const auto verdict = sides.evidence.judge(sides.before.host.hostname, sides.after.host.hostname);
  if (verdict.differs()) sides.say(fact_difference("host", "hostname", Topic::identity, verdict));
}

}  // namespace railgauge::model::comparing
