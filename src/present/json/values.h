// One model value as one JSON value; unknown is null beside a reason. Only for .cpp files of this
// folder.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/field_lists.h"
#include "present/words.h"

namespace railgauge::present {

using Json = nlohmann::ordered_json;

// Whole numbers up to here are exact in every JSON reader (2^53).
inline constexpr double largest_exact = 9007199254740992.0;

inline Json json_value(const std::string& text) { return clean(text); }
inline Json json_value(bool value) { return value; }
inline Json json_value(int value) { return value; }
inline Json json_value(std::uint64_t value) { return value; }
inline Json json_value(BytesPerSecond rate) {
  const double v = rate.value;
  if (std::isfinite(v) && std::floor(v) == v && std::abs(v) < largest_exact)
    return static_cast<std::int64_t>(v);
  return v;
}
inline Json json_value(const model::PciAddress& address) { return address.text(); }
inline Json json_value(model::PcieSpeed speed) { return speed.megatransfers; }
inline Json json_value(model::DeviceKind kind) { return text(kind); }
inline Json json_value(model::Aspm aspm) { return text(aspm); }
inline Json json_value(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
inline Json json_value(model::Limit limit) {
  return limit.most ? Json(*limit.most) : Json("unlimited");
}
inline Json json_value(const std::vector<int>& values) { return values; }
inline Json json_value(const std::vector<std::string>& values) {
  Json out = Json::array();
  for (const std::string& value : values) out.push_back(clean(value));
  return out;
}
Json json_value(model::PciId id);               // "10de:2330"
Json json_value(model::PciClass pci_class);     // "0x030200"
Json json_value(model::PciPort port);           // "root_port"
Json json_value(const model::AcsControl& acs);  // an object of booleans
inline Json json_value(const model::PathClass& smi) { return smi.text(); }
inline Json json_value(model::NcclPath path) { return text(path); }
inline Json json_value(model::P2pStatus status) { return text(status); }

// "key": value, or "key": null and "key_reason": why.
template <class T>
void put(Json& object, const std::string& key, const Reading<T>& reading) {
  if (reading) {
    object[key] = json_value(*reading);
    return;
  }
  object[key] = nullptr;
  object[key + "_reason"] = clean(reading.why());
}
template <class T>
void put(Json& object, const std::string& key, const model::Fact<T>& fact) {
  put(object, key, fact.reading());
}

// A key only where there is a value.
template <class T>
void put_present(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = json_value(*value);
}
inline void put_present(Json& object, const char* key, const std::string& value) {
  if (!value.empty()) object[key] = clean(value);
}

void put_counters(Json& object, const std::string& key, const model::Counters& counters);

// Every fact of a struct that is always shown or was spoken of, then its counters, with their rates
// beside them where there are several samples.
template <class Owner>
void put_fields(Json& object, const Owner& owner) {
  model::each_field<Owner>([&](const auto& field) {
    const auto& fact = owner.*field.member;
    if (field.shown == model::Shown::always || fact.known() || !fact.refusals().empty())
      put(object, field.key, fact);
  });
  model::each_counter_field<Owner>(
      [&](const auto& field) { put_counters(object, field.key, owner.*field.member); });
}

Json host_json(const model::HostFacts& host);
Json events_json(const model::Machine& machine);
// Modules, variables, interrupts and how the recording was made; keys only where there is any.
void put_system(Json& object, const model::Machine& machine);
// What NCCL's logs said, under "nccl"; only where there is one.
void put_nccl(Json& object, const model::Machine& machine);
Json device_json(const model::Machine& machine, model::DeviceId id);
Json conflicts_json(const model::Machine& machine);

}  // namespace railgauge::present
