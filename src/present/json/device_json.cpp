#include "present/json/each_fact.h"
#include "present/json/values.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::Machine;

Json counters_json(const std::map<std::string, model::Fact<std::uint64_t>>& counters) {
  Json out = Json::object();
  for (const auto& [name, count] : counters) put(out, clean(name), count);
  return out;
}

// A function has dozens of PCI facts and most are silent; only what was said or refused is written.
void add_pci(Json& out, const Device& device) {
  Json pci = Json::object();
  each_pci_fact(*device.pci, [&](std::string_view, std::string_view key, const auto& fact) {
    std::string name(key);
    if (key == "link_speed" || key == "link_speed_max") name += "_megatransfers_per_second";
    if (fact.known() || !fact.refusals().empty()) put(pci, name, fact);
  });
  const auto add = [&](const char* key, const auto& counters) {
    if (!counters.empty()) pci[key] = counters_json(counters);
  };
  add("aer_correctable", device.pci->aer_correctable);
  add("aer_nonfatal", device.pci->aer_nonfatal);
  add("aer_fatal", device.pci->aer_fatal);
  out["pci"] = std::move(pci);
}

Json ports_json(const model::NicFacts& nic) {
  Json out = Json::array();
  for (const auto& port : nic.ports) {
    Json one{{"number", port.number}};
    put(one, "state", port.state);
    put(one, "link_layer", port.link_layer);
    put(one, "rate_bytes_per_second", port.rate);
    put(one, "netdev", port.netdev);
    put(one, "mtu_bytes", port.mtu);
    out.push_back(std::move(one));
  }
  return out;
}

Json nvlinks_json(const model::GpuFacts& gpu) {
  Json out = Json::array();
  for (const auto& link : gpu.nvlinks) {
    Json one{{"number", link.number}};
    put(one, "active", link.active);
    put(one, "version", link.version);
    put(one, "remote", link.remote);
    put(one, "remote_kind", link.remote_kind);
    put(one, "rate_bytes_per_second", link.rate);
    if (!link.errors.empty()) one["errors"] = counters_json(link.errors);
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Json device_json(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  Json out{{"id", id_of(machine, id)}, {"kind", text(device.kind)}};
  put(out, "name", device.name);
  put(out, "numa_node", device.numa_node);
  put(out, "pci_address", device.address);
  put(out, "index", device.index);
  if (device.parent) {
    out["parent"] = id_of(machine, *device.parent);
  } else {
    out["parent"] = nullptr;
    out["parent_reason"] = "nothing nearer to the CPU is known";
  }
  out["inferred"] = is_inferred(device);
  out["seen_in"] = clean(machine.sources.text(device.seen_in));
  const auto add = [&](std::string_view, std::string_view key, const auto& fact) {
    put(out, std::string(key), fact);
  };
  if (device.gpu) {
    each_gpu_fact(*device.gpu, add);
    out["mig_devices"] = json_value(device.gpu->mig_devices);
    out["nvlinks"] = nvlinks_json(*device.gpu);
  }
  if (device.nic) {
    each_nic_fact(*device.nic, add);
    out["ports"] = ports_json(*device.nic);
  }
  if (device.cpu) each_cpu_fact(*device.cpu, add);
  if (device.pci) add_pci(out, device);
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
    each_fact(machine[id], [&](std::string_view part, std::string_view key, const auto& fact) {
      if (!fact.disputed()) return;
      Json claims = Json::array();
      for (const auto& claim : fact.claims())
        claims.push_back({{"value", json_value(claim.value)},
                          {"source", clean(machine.sources.text(claim.source))}});
      out.push_back({{"device", id_of(machine, id)},
                     {"fact", (part.empty() ? "" : std::string(part) + ".") + std::string(key)},
                     {"claims", std::move(claims)}});
    });
  }
  return out;
}

}  // namespace railgauge::present
