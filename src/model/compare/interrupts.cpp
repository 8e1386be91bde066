// Where interrupts may go. A device has dozens of them, so one difference speaks for all of a
// device; how often they came is traffic and no difference.
#include <map>

#include "model/compare/sides.h"

namespace railgauge::model::comparing {
namespace {

struct Changes {
  std::size_t affinity = 0;
  std::size_t gone = 0;
  std::size_t added = 0;
  std::string example;
  SourceRef before_source;
  SourceRef after_source;
};

// Whose interrupt it is: the device where it is known, else the label up to its number.
std::string owner(const Sides& sides, bool on_after, const Interrupt& interrupt) {
  const Machine& machine = on_after ? sides.after : sides.before;
  if (interrupt.device)
    if (const auto id = machine.at(*interrupt.device)) {
      const auto before = on_after ? sides.match.before(*id) : id;
      return before ? sides.label(*before) : Sides::label_of(machine, *id);
    }
  return interrupt.label.substr(0, interrupt.label.find_first_of("0123456789@"));
}

// The label without the PCI address in it, which may have changed.
std::string role(const Interrupt& interrupt) {
  return interrupt.label.substr(0, interrupt.label.find('@'));
}

using Key = std::pair<std::string, std::string>;

std::map<Key, const Interrupt*> by_role(const Sides& sides, bool on_after) {
  std::map<Key, const Interrupt*> out;
  const Machine& machine = on_after ? sides.after : sides.before;
  for (const Interrupt& one : machine.interrupts)
    out.emplace(Key{owner(sides, on_after, one), role(one)}, &one);
  return out;
}

void say(Sides& sides, const std::string& subject, const Changes& changes) {
  Difference out;
  out.topic = Topic::settings;
  out.subject = subject;
  out.weight = weight_detail;
  out.before_source = changes.before_source;
  out.after_source = changes.after_source;
  const auto count = [](std::size_t n) {
    return std::to_string(n) + (n == 1 ? " interrupt" : " interrupts");
  };
  if (changes.affinity > 0) {
    out.key = "interrupt_affinity";
    out.after = count(changes.affinity);
    out.text = count(changes.affinity) + " of " + subject +
               (changes.affinity == 1 ? " goes" : " go") + " to other CPUs, for one " +
               changes.example;
    sides.say(out);
  }
  if (changes.gone + changes.added > 0) {
    out.key = "interrupts";
    out.before = count(changes.gone);
    out.after = count(changes.added);
    out.text = "interrupts of " + subject + ": " + std::to_string(changes.gone) + " went, " +
               std::to_string(changes.added) + " came";
    sides.say(std::move(out));
  }
}

}  // namespace

void compare_interrupts(Sides& sides) {
  const auto was = by_role(sides, false);
  const auto is = by_role(sides, true);
  std::map<std::string, Changes> changes;
  for (const auto& [key, before] : was) {
    const auto found = is.find(key);
    if (found == is.end()) {
      if (sides.evidence.lacking(false, before->affinity.source())) ++changes[key.first].gone;
      continue;
    }
    const auto verdict = sides.evidence.judge(before->affinity, found->second->affinity);
    if (!verdict.differs()) continue;
    Changes& of = changes[key.first];
    if (++of.affinity > 1) continue;
    of.example = key.second + ": " + (verdict.before ? verdict.before->value : "unknown") + " → " +
                 (verdict.after ? verdict.after->value : "unknown");
    if (verdict.before) of.before_source = verdict.before->source;
    if (verdict.after) of.after_source = verdict.after->source;
  }
  for (const auto& [key, after] : is)
    if (!was.contains(key) && sides.evidence.lacking(true, after->affinity.source()))
      ++changes[key.first].added;
  for (const auto& [subject, one] : changes) say(sides, subject, one);
}

}  // namespace railgauge::model::comparing
