// The host's part of result.machine: facts, modules, variables, interrupts, events.
#include "present/json/values.h"

namespace railgauge::present {
namespace {

using model::Machine;

void put_named(Json& object, const char* key, const model::NamedFacts& named) {
  if (named.empty()) return;
  Json out = Json::object();
  for (const auto& [name, fact] : named) put(out, clean(name), fact);
  object[key] = std::move(out);
}

Json taken_json(const model::Taken& taken) {
  Json out{{"made_at", clean(taken.made_at)},
           {"tool", clean(taken.tool)},
           {"as_root", taken.as_root},
           {"identities", taken.identities_replaced ? "replaced" : "kept"}};
  if (!taken.identity_key.empty()) out["identity_key"] = clean(taken.identity_key);
  out["sample_seconds"] = Json(taken.sample_seconds);
  return out;
}

Json modules_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& module : machine.modules) {
    Json one{{"name", clean(module.name)}};
    put_fields(one, module);
    put_named(one, "parameters", module.parameters);
    one["source"] = clean(machine.sources.text(module.source));
    out.push_back(std::move(one));
  }
  return out;
}

Json variables_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& variable : machine.variables)
    out.push_back({{"name", clean(variable.name)},
                   {"value", clean(variable.value)},
                   {"source", clean(machine.sources.text(variable.source))}});
  return out;
}

Json interrupts_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& interrupt : machine.interrupts) {
    Json one{{"number", interrupt.number}, {"label", clean(interrupt.label)}};
    put_fields(one, interrupt);
    model::Counters cpus;
    for (const auto& [cpu, count] : interrupt.cpus) cpus[std::to_string(cpu)] = count;
    put_counters(one, "cpus", cpus);
    out.push_back(std::move(one));
  }
  return out;
}

Json event_json(const Machine& machine, const model::Event& event) {
  Json out{{"kind", text(event.kind)}, {"severity", text(event.severity)}};
  put_present(out, "device", event.device);
  put_present(out, "reporter", event.reporter);
  put_present(out, "uptime_seconds", event.uptime_seconds);
  put_present(out, "wall_time", event.wall_time);
  put_present(out, "code", event.code);
  put_present(out, "subcode", event.subcode);
  put_present(out, "link", event.link);
  put_present(out, "process_id", event.process_id);
  put_present(out, "process", event.process);
  put_present(out, "layer", event.layer);
  if (!event.bits.empty()) out["bits"] = json_value(event.bits);
  out["count"] = event.count;
  out["text"] = clean(event.text);
  out["source"] = clean(machine.sources.text(event.source));
  return out;
}

}  // namespace

void put_counters(Json& object, const std::string& key, const model::Counters& counters) {
  if (counters.empty()) return;
  Json values = Json::object();
  Json rates = Json::object();
  for (const auto& [name, counter] : counters) {
    put(values, clean(name), counter.value);
    if (!counter.later.empty()) put(rates, clean(name), counter.per_second());
  }
  object[key] = std::move(values);
  if (!rates.empty()) object[key + "_per_second"] = std::move(rates);
}

Json host_json(const model::HostFacts& host) {
  Json out = Json::object();
  put_fields(out, host);
  put_named(out, "sysctls", host.sysctls);
  put_named(out, "libraries", host.libraries);
  put_named(out, "services", host.services);
  return out;
}

void put_system(Json& object, const Machine& machine) {
  if (machine.taken) object["taken"] = taken_json(*machine.taken);
  if (!machine.modules.empty()) object["modules"] = modules_json(machine);
  if (!machine.variables.empty()) object["variables"] = variables_json(machine);
  if (!machine.interrupts.empty()) object["interrupts"] = interrupts_json(machine);
}

// Each group of events that say the same, with its members.
Json events_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& group : model::event_groups(machine.events)) {
    Json one = event_json(machine, group.first);
    one["count"] = group.count;
    put(one, "per_hour", group.per_hour);
    one["lines"] = Json::array();
    for (const std::size_t member : group.members)
      one["lines"].push_back(clean(machine.sources.text(machine.events[member].source)));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace railgauge::present
