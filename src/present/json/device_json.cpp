#include "present/json/values.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::Machine;

Json gids_json(const model::NicPort& port) {
  Json out = Json::array();
  for (const auto& gid : port.gids) {
    Json one{{"index", gid.index}};
    put_fields(one, gid);
    out.push_back(std::move(one));
  }
  return out;
}

Json ports_json(const model::NicFacts& nic) {
  Json out = Json::array();
  for (const auto& port : nic.ports) {
    Json one{{"number", port.number}};
    put_fields(one, port);
    if (!port.gids.empty()) one["gids"] = gids_json(port);
    out.push_back(std::move(one));
  }
  return out;
}

Json nvlinks_json(const model::GpuFacts& gpu) {
  Json out = Json::array();
  for (const auto& link : gpu.nvlinks) {
    Json one{{"number", link.number}};
    put_fields(one, link);
    out.push_back(std::move(one));
  }
  return out;
}

// Every claim of one disputed fact.
template <class Owner>
void add_conflicts(Json& out, const Machine& machine, DeviceId id, const std::string& part,
                   const Owner& owner) {
  model::each_field<Owner>([&](const auto& field) {
    const auto& fact = owner.*field.member;
    if (!fact.disputed()) return;
    Json claims = Json::array();
    for (const auto& claim : fact.claims())
      claims.push_back({{"value", json_value(claim.value)},
                        {"source", clean(machine.sources.text(claim.source))}});
    out.push_back({{"device", id_of(machine, id)},
                   {"fact", part + field.key},
                   {"claims", std::move(claims)}});
  });
}

}  // namespace

Json device_json(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  Json out{{"id", id_of(machine, id)}, {"kind", text(device.kind)}};
  put_fields(out, device);
  if (device.parent) {
    out["parent"] = id_of(machine, *device.parent);
  } else {
    out["parent"] = nullptr;
    out["parent_reason"] = "nothing nearer to the CPU is known";
  }
  out["inferred"] = is_inferred(device);
  out["seen_in"] = clean(machine.sources.text(device.seen_in));
  if (device.gpu) {
    put_fields(out, *device.gpu);
    out["mig_devices"] = json_value(device.gpu->mig_devices);
    out["nvlinks"] = nvlinks_json(*device.gpu);
  }
  if (device.nic) {
    put_fields(out, *device.nic);
    out["ports"] = ports_json(*device.nic);
  }
  if (device.cpu) put_fields(out, *device.cpu);
  if (device.pci) {
    Json pci = Json::object();
    put_fields(pci, *device.pci);
    put_fields(pci, device.pci->link);
    out["pci"] = std::move(pci);
  }
  if (!device.attributes.empty()) {
    Json list = Json::array();
    for (const auto& attribute : device.attributes)
      list.push_back({{"key", clean(attribute.key)},
                      {"value", clean(attribute.value)},
                      {"source", clean(machine.sources.text(attribute.source))}});
    out["attributes"] = std::move(list);
  }
  return out;
}

Json conflicts_json(const Machine& machine) {
  Json out = Json::array();
  for (DeviceId id : machine.all()) {
    const Device& device = machine[id];
    add_conflicts(out, machine, id, "", device);
    if (device.gpu) add_conflicts(out, machine, id, "", *device.gpu);
    if (device.nic) add_conflicts(out, machine, id, "", *device.nic);
    if (device.nic)
      for (const auto& port : device.nic->ports)
        add_conflicts(out, machine, id, "ports." + std::to_string(port.number) + ".", port);
    if (device.cpu) add_conflicts(out, machine, id, "", *device.cpu);
    if (!device.pci) continue;
    add_conflicts(out, machine, id, "pci.", *device.pci);
    add_conflicts(out, machine, id, "pci.", device.pci->link);
  }
  return out;
}

}  // namespace railgauge::present
