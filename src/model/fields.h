// Names every fact of a struct once, for whoever visits all of them: joining, JSON, differences.
//   each_field<PciFacts>([&](const auto& field) { put(out, field.key, device.pci->*field.member);
//   });
// The lists themselves are in field_lists.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include "model/counter.h"
#include "model/fact.h"

namespace railgauge::model {

// What a fact is about. Also the classes that `diff --ignore` takes.
enum class Topic : std::uint8_t {
  inventory,  // which devices there are, and what they are
  placement,  // where they sit: parent, NUMA node, address
  link,       // PCIe and NVLink: speed, width, which are up
  firmware,   // VBIOS, NIC firmware, BIOS
  driver,     // kernel, modules, drivers, libraries
  settings,   // kernel arguments, limits, governors, ECC mode, ACS, environment
  network,    // port state, MTU, GIDs
  identity,   // serial numbers, UUIDs, GUIDs, MAC addresses, hostname
  health,     // events, failed memory rows, fabric state
  counters,   // what only grows
  activity,   // what changes from second to second: clocks, temperatures, memory in use
};
inline constexpr std::array<Topic, 11> all_topics{
    Topic::inventory, Topic::placement, Topic::link,    Topic::firmware,
    Topic::driver,    Topic::settings,  Topic::network, Topic::identity,
    Topic::health,    Topic::counters,  Topic::activity};
std::string_view text(Topic topic);  // "inventory", …
std::optional<Topic> parse_topic(std::string_view word);

// Whether JSON writes the fact when nobody spoke of it (null, and why), or leaves it out.
enum class Shown : std::uint8_t { always, when_said };

template <class Owner, class T>
struct Field {
  const char* key;  // in JSON, unit included: "memory_bytes"
  Fact<T> Owner::*member;
  Topic topic;
  Shown shown;
};

template <class Owner, class T>
constexpr Field<Owner, T> field(const char* key, Fact<T> Owner::*member, Topic topic,
                                Shown shown = Shown::when_said) {
  return {key, member, topic, shown};
}

template <class Owner>
struct CounterField {
  const char* key;
  Counters Owner::*member;
};

// Specialised in field_lists.h: `fields` is a tuple of Field, `counters` an array of CounterField
// where the struct has counters.
template <class Owner>
struct FieldList;

template <class Owner, class Visit>
void each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, FieldList<Owner>::fields);
}

template <class Owner, class Visit>
void each_counter_field(Visit&& visit) {
  if constexpr (requires { FieldList<Owner>::counters; })
    for (const auto& field : FieldList<Owner>::counters) visit(field);
}

}  // namespace railgauge::model
