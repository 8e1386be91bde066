// result.machine of `see --json`.
#include "model/groups.h"
#include "present/json/values.h"
#include "present/path_facts.h"
#include "present/present.h"

namespace railgauge::present {
namespace {

using model::Link;
using model::LinkKind;
using model::Machine;

// An NVLink, xGMI or C2C generation is a version; a PCIe one follows from the speed.
Reading<int> generation(const Link& link, const model::Fact<model::PcieSpeed>& speed) {
  if (link.kind != LinkKind::pcie) return link.version.reading();
  const auto reading = speed.reading();
  if (!reading)
    return reading.is_failed() ? Reading<int>::failed(reading.why())
                               : Reading<int>::not_reported(reading.why());
  if (reading->generation() == 0)
    return Reading<int>::not_reported(reading->text() + " is the rate of no generation");
  return reading->generation();
}

Json link_json(const Machine& machine, const Link& link) {
  Json out{{"a", id_of(machine, link.a)}, {"b", id_of(machine, link.b)}, {"kind", text(link.kind)}};
  put(out, "width", link.width);
  put(out, "width_possible", link.width_possible);
  put(out, "generation", generation(link, link.speed));
  if (link.kind == LinkKind::pcie)
    put(out, "generation_possible", generation(link, link.speed_possible));
  put(out, "rate_bytes_per_second", link.as_found);
  put(out, "nominal_rate_bytes_per_second", link.nominal);
  out["inferred"] = edge_words(link).inferred;
  out["source"] = clean(machine.sources.text(link.source));
  return out;
}

Json path_json(const Machine& machine, const PathFacts& path) {
  Json out{{"a", id_of(machine, path.a)}, {"b", id_of(machine, path.b)}};
  put(out, "class", path.smi);
  if (machine[path.a].kind == model::DeviceKind::gpu) put(out, "nccl_path", path.nccl);
  put(out, "rate_bytes_per_second", path.as_found);
  put(out, "nominal_rate_bytes_per_second", path.nominal);
  return out;
}

const char* word(model::RemarkLevel level) {
  switch (level) {
    case model::RemarkLevel::note: return "note";
    case model::RemarkLevel::warning: return "warning";
    case model::RemarkLevel::error: return "error";
  }
  return "note";
}

Json remarks_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& remark : machine.remarks)
    out.push_back({{"level", word(remark.level)},
                   {"text", clean(remark.text)},
                   {"source", clean(machine.sources.text(remark.source))}});
  return out;
}

Json domains_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& domain : model::nvlink_domains(machine)) {
    Json gpus = Json::array();
    for (model::DeviceId gpu : domain.gpus) gpus.push_back(id_of(machine, gpu));
    out.push_back({{"gpus", std::move(gpus)},
                   {"switched", domain.switched},
                   {"all_to_all", domain.all_to_all}});
  }
  return out;
}

// What the driver said of two GPUs; only the statements that were made.
Json peers_json(const Machine& machine) {
  Json out = Json::array();
  for (const auto& pair : machine.pairs) {
    Json one{{"a", id_of(machine, pair.a)}, {"b", id_of(machine, pair.b)}};
    const auto add = [&](const char* key, const auto& fact) {
      if (fact.known()) one[key] = json_value(*fact);
    };
    add("reported_class", pair.smi);
    add("p2p_read", pair.p2p_read);
    add("p2p_write", pair.p2p_write);
    add("p2p_nvlink", pair.p2p_nvlink);
    add("p2p_atomics", pair.p2p_atomics);
    add("p2p_pcie", pair.p2p_pcie);
    add("rocm_weight", pair.rocm_weight);
    add("rocm_hops", pair.rocm_hops);
    add("rocm_link", pair.rocm_link);
    out.push_back(std::move(one));
  }
  return out;
}

Json sources_json(const Machine& machine) {
  Json out = Json::array();
  for (std::uint32_t i = 1; i < machine.sources.size(); ++i)
    out.push_back(clean(machine.sources.name({i, 0, model::Trust::guess})));
  return out;
}

}  // namespace

std::string machine_json(const Machine& machine, const std::vector<PathFacts>& paths) {
  Json out{{"name", clean(machine.name)}, {"host", host_json(machine.host)}};
  put_system(out, machine);
  for (const char* key : {"devices", "links", "paths"}) out[key] = Json::array();
  for (model::DeviceId id : machine.all()) out["devices"].push_back(device_json(machine, id));
  for (const Link& link : machine.links) out["links"].push_back(link_json(machine, link));
  for (const PathFacts& path : paths) out["paths"].push_back(path_json(machine, path));
  out["pairs"] = peers_json(machine);
  out["nvlink_domains"] = domains_json(machine);
  out["nvlink_hidden"] = machine.nvlink_hidden;
  out["events"] = events_json(machine);
  put_nccl(out, machine);
  out["remarks"] = remarks_json(machine);
  out["conflicts"] = conflicts_json(machine);
  out["sources"] = sources_json(machine);
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string machine_json(const Machine& machine) {
  return machine_json(machine, path_facts(machine));
}

}  // namespace railgauge::present
