// What the logs of NCCL jobs said: result.machine.nccl.
#include "present/json/values.h"

namespace railgauge::present {
namespace {

using model::Machine;
using model::NcclRun;

template <class T>
void put_known(Json& object, const char* key, const model::Fact<T>& fact) {
  if (fact.known()) object[key] = json_value(*fact);
}

std::string source_of(const Machine& machine, model::SourceRef source) {
  return clean(machine.sources.text(source));
}

Json rank_json(const Machine& machine, const model::NcclRank& rank) {
  Json out = Json::object();
  put_present(out, "rank", rank.rank);
  put_present(out, "ranks", rank.ranks);
  put_present(out, "host", rank.host);
  put_present(out, "process_id", rank.process_id);
  put_present(out, "device", rank.device);
  put_present(out, "nvml_device", rank.nvml_device);
  put_present(out, "address", rank.address);
  put_present(out, "affinity", rank.affinity);
  if (!rank.other_affinities.empty()) out["other_affinities"] = json_value(rank.other_affinities);
  put_present(out, "version", rank.version);
  out["complete"] = rank.complete;
  put_present(out, "init_seconds", rank.init_seconds);
  put_present(out, "init_phases", rank.init_phases);
  out["source"] = source_of(machine, rank.source);
  return out;
}

Json nic_json(const Machine& machine, const model::NcclNic& nic) {
  Json out{{"network", clean(nic.network)}, {"index", nic.index}, {"name", clean(nic.name)}};
  put_present(out, "port", nic.port);
  put_present(out, "layer", nic.layer);
  put_present(out, "host", nic.host);
  out["source"] = source_of(machine, nic.source);
  return out;
}

Json gdr_json(const Machine& machine, const model::NcclGdr& gdr) {
  Json out{{"enabled", gdr.enabled}};
  put_present(out, "network", gdr.network);
  put_present(out, "nic", gdr.nic);
  put_present(out, "gpu", gdr.gpu);
  put_present(out, "distance", gdr.distance);
  put_present(out, "distance_allowed", gdr.distance_allowed);
  out["count"] = gdr.count;
  out["source"] = source_of(machine, gdr.source);
  return out;
}

Json connection_json(const Machine& machine, const model::NcclConnection& connection) {
  Json out{{"from", connection.from}, {"to", connection.to}, {"via", clean(connection.via)}};
  put_present(out, "direction", connection.direction);
  out["channels"] = connection.channels;
  out["source"] = source_of(machine, connection.source);
  return out;
}

Json topology_path_json(const Machine& machine, const model::NcclTopologyPath& path) {
  return {{"a", path.a.text()},
          {"b", path.b.text()},
          {"type", clean(path.type)},
          {"gb_per_s", path.gigabytes_per_second},
          {"source", source_of(machine, path.source)}};
}

Json warning_json(const Machine& machine, const model::NcclWarning& warning) {
  Json out = Json::object();
  put_present(out, "file", warning.file);
  put_present(out, "line", warning.line);
  out["text"] = clean(warning.text);
  out["count"] = warning.count;
  out["information"] = warning.information;
  put_present(out, "host", warning.host);
  put_present(out, "device", warning.device);
  out["source"] = source_of(machine, warning.source);
  return out;
}

Json ring_step_json(const model::NcclRingStep& step) {
  return {{"channel", step.channel},
          {"previous", step.previous},
          {"rank", step.rank},
          {"next", step.next}};
}

Json tree_step_json(const model::NcclTreeStep& step) {
  Json out{{"channel", step.channel}, {"rank", step.rank}};
  put_present(out, "up", step.up);
  out["down"] = step.down;
  return out;
}

// One list of a run, made entry by entry.
template <class List, class Make>
Json list_json(const List& list, Make&& make) {
  Json out = Json::array();
  for (const auto& entry : list) out.push_back(make(entry));
  return out;
}

Json run_json(const Machine& machine, const NcclRun& run) {
  Json out{{"name", clean(run.name)}};
  put_known(out, "version", run.version);
  put_known(out, "cuda", run.cuda);
  put_known(out, "cuda_driver", run.cuda_driver);
  put_known(out, "network", run.network);
  put_known(out, "oob", run.oob);
  put_known(out, "channels", run.channels);
  put_known(out, "gdr_used", run.gdr_used);
  put_known(out, "narrowest_pci_gb_per_s", run.narrowest_pci);
  out["plugins"] = json_value(run.plugins);
  out["plugins_missing"] = json_value(run.plugins_missing);
  const auto with = [&](auto make) {
    return [&machine, make](const auto& entry) { return make(machine, entry); };
  };
  out["ranks"] = list_json(run.ranks, with(rank_json));
  out["nics"] = list_json(run.nics, with(nic_json));
  out["gpu_direct"] = list_json(run.gdr, with(gdr_json));
  out["connections"] = list_json(run.connections, with(connection_json));
  out["rings"] = Json(run.rings);
  out["ring_steps"] = list_json(run.ring_steps, ring_step_json);
  out["topology_paths"] = list_json(run.paths, with(topology_path_json));
  out["tree_steps"] = list_json(run.tree_steps, tree_step_json);
  out["warnings"] = list_json(run.warnings, with(warning_json));
  out["lines"] = run.lines;
  return out;
}

}  // namespace

void put_nccl(Json& object, const Machine& machine) {
  if (machine.nccl_runs.empty()) return;
  object["nccl"] =
      list_json(machine.nccl_runs, [&](const NcclRun& run) { return run_json(machine, run); });
}

}  // namespace railgauge::present
