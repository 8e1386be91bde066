// What every part of a comparison works with: both machines, which device is which, what was read,
// and where differences go. For the files of this folder only.
#pragma once

#include <string>
#include <utility>

#include "model/compare/compare.h"
#include "model/compare/evidence.h"
#include "model/compare/match.h"
#include "model/compare/value_words.h"

namespace railgauge::model::comparing {

struct Sides {
  const Machine& before;
  const Machine& after;
  CompareOptions options;
  bool identities = true;  // of both can be compared
  Match match;
  Evidence evidence;
  Comparison out;
  bool variables = true;  // of which the values may hold identities

  // "gpu3 (0000:5d:00.0)"
  std::string label(DeviceId before_device) const { return label_of(before, before_device); }
  static std::string label_of(const Machine& machine, DeviceId id) {
    const Device& device = machine[id];
    return device.address ? device.id + " (" + device.address->text() + ")" : device.id;
  }
  // Values that read the same to a person (memory that differs by kilobytes) are the same.
  void say(Difference difference) {
    if (difference.kind == Change::changed && !difference.before.empty() &&
        difference.before == difference.after)
      return;
    out.differences.push_back(std::move(difference));
  }
};

// Weights: what stops work comes before what slows it, and that before what is merely different.
inline constexpr int weight_lost = 100;
inline constexpr int weight_slower = 80;
inline constexpr int weight_setting = 50;
inline constexpr int weight_detail = 20;

// "firmware of mlx5_0 changed from a to b", also for a fact that one side lacks.
template <class T>
Difference fact_difference(const std::string& subject, std::string_view key, Topic topic,
                           const Verdict<T>& verdict) {
  Difference out;
  out.topic = topic;
  out.subject = subject;
  out.key = key;
  out.weight = weight_setting;
  const std::string what = property_name(key, subject);
  if (verdict.before != nullptr) {
    out.before = value_words(key, verdict.before->value);
    out.before_source = verdict.before->source;
  }
  if (verdict.after != nullptr) {
    out.after = value_words(key, verdict.after->value);
    out.after_source = verdict.after->source;
  }
  if (verdict.after == nullptr && key == "driver" && subject != "host") {
    out.kind = Change::gone;
    out.text = "no driver is bound to " + subject + " any more (was " + out.before + ")";
  } else if (verdict.after == nullptr) {
    out.kind = Change::gone;
    out.text = what + " is no longer reported; it was " + out.before;
  } else if (verdict.before == nullptr) {
    out.kind = Change::added;
    out.text = what + " is reported now: " + out.after;
  } else {
    out.text = what + " changed from " + out.before + " to " + out.after;
  }
  return out;
}

// Variables that a launcher gives each rank, job or host for itself.
bool is_of_one_rank(std::string_view name);
// Whether the process that looked was one rank of several; and the settings (by key or variable)
// that then are its share of the machine: the CPUs and GPUs it was given.
bool is_rank(const Machine& machine);
bool is_rank_share(std::string_view key);
// Bytes and packets that went as they should; anything else counts what went wrong.
bool is_traffic(std::string_view counter);
// "Xid 79", "PCIe error (AER, fatal) RxErr"; bits only where they are asked for.
std::string event_name(const Event& event, bool bits);
// Numbers that name nothing by themselves, or follow from the tree: an IOMMU group's, a bus's.
bool is_passed_over(std::string_view key);

// The parts, each adding its differences.
void compare_presence(Sides& sides);
void compare_places(Sides& sides);
void compare_identities(Sides& sides);
void compare_links(Sides& sides);
void compare_nvlinks(Sides& sides);
void compare_device_facts(Sides& sides);
void compare_ports(Sides& sides);
void compare_host(Sides& sides);
void compare_software(Sides& sides);
void compare_interrupts(Sides& sides);
void compare_counters(Sides& sides);
void compare_events(Sides& sides);

}  // namespace railgauge::model::comparing
