// Machines with settings, and what one rule says of them. Only tests include this.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "judge/findings.h"
#include "judge/rule.h"
#include "model/testing.h"

namespace railgauge::judge {

// Settings by line, in a file "job.sh".
inline model::Machine with_settings(const std::vector<std::string>& lines,
                                    model::Machine machine = {}, const char* file = "job.sh") {
  const auto source = machine.sources.add(file, model::Trust::tool);
  std::uint32_t number = 0;
  for (const std::string& line : lines) {
    const auto equals = line.find('=');
    machine.variables.push_back(
        {line.substr(0, equals), line.substr(equals + 1), source.at_line(++number)});
  }
  return machine;
}

inline model::Machine with_version(model::Machine machine, const char* version) {
  const auto source = machine.sources.add("nccl.log", model::Trust::tool);
  machine.nccl_runs.emplace_back();
  machine.nccl_runs.back().version.claim(version, source);
  return machine;
}

// A few rows of each kind; sorted by name, as observe gives them.
inline model::Advice small_advice() {
  using model::VariableStatus;
  model::Advice out;
  const auto add = [&](const char* name, VariableStatus status, const char* since,
                       const char* removed, const char* instead, const char* form) {
    model::VariableRow row;
    row.name = name;
    row.library = row.name.starts_with("UCX_") ? "ucx" : "nccl";
    row.status = status;
    row.since = since;
    row.removed = removed;
    row.instead = instead;
    row.form = form;
    out.variables.push_back(row);
  };
  add("NCCL_ALGO", VariableStatus::current, "2.5.6", "", "", "nccl_algo");
  add("NCCL_BUFFSIZE", VariableStatus::current, "", "", "", "bytes");
  add("NCCL_CROSS_NIC", VariableStatus::current, "2.5.6", "", "", "int:0:2");
  add("NCCL_DEBUG", VariableStatus::current, "", "", "", "ienum:VERSION|WARN|INFO|TRACE");
  add("NCCL_IBEXT_*", VariableStatus::plugin, "", "", "", "");
  add("NCCL_IB_CUDA_SUPPORT", VariableStatus::dead, "", "", "NCCL_NET_GDR_LEVEL", "");
  add("NCCL_IB_DISABLE", VariableStatus::current, "", "", "", "bool");
  add("NCCL_IB_MERGE_NICS", VariableStatus::current, "2.20.3", "", "", "bool");
  add("NCCL_MAX_NCHANNELS", VariableStatus::deprecated, "2.5.6", "", "NCCL_MAX_CTAS", "int:1:64");
  add("NCCL_NVLINK_DISABLE", VariableStatus::never, "", "", "NCCL_P2P_LEVEL", "");
  add("NCCL_P2P_DISABLE", VariableStatus::current, "", "", "", "bool");
  add("NCCL_P2P_LEVEL", VariableStatus::current, "2.3.4", "", "", "level");
  add("NCCL_SHM_MEMCPY_MODE", VariableStatus::removed, "2.13.4", "2.30.7", "", "");
  add("NCCL_SOCKET_IFNAME", VariableStatus::current, "", "", "", "ifname");
  add("NCCL_TREE_THRESHOLD", VariableStatus::removed, "2.4.2", "2.5.6", "NCCL_ALGO", "");
  add("UCX_*_GID_INDEX", VariableStatus::current, "", "", "", "ucx_int");
  add("UCX_TLS", VariableStatus::current, "", "", "", "ucx_tls");
  return out;
}

struct Said {
  std::vector<model::Finding> failures;
  std::vector<model::NotChecked> unknowns;
  bool passed = false;

  std::string text() const { return failures.empty() ? "" : failures.front().text; }
  model::Severity severity() const { return failures.front().severity; }
};

inline Said says(const char* rule, const model::Machine& machine,
                 const model::Advice& advice = small_advice()) {
  const model::Catalogue catalogue;
  const Rule& found = *find_rule(rule);
  Verdicts verdicts(found.severity);
  found.look({.machine = machine, .catalogue = catalogue, .advice = advice}, verdicts);
  return {std::move(verdicts.failures), std::move(verdicts.unknowns), verdicts.passed()};
}

inline bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

// Two GPUs that NVLink joins, or that only a host bridge does.
inline model::Machine nvlink_pair() {
  model::TestMachine t;
  const auto numa = t.numa(0);
  const auto a = t.gpu(numa);
  const auto b = t.gpu(numa);
  t.nvlink(a, b, 18);
  t.cell(a, b, "NV18");
  return t.machine;
}
inline model::Machine pcie_pair(const char* board = "NVIDIA L40S") {
  model::TestMachine t;
  const auto numa = t.numa(0);
  const auto a = t.gpu(numa, board);
  const auto b = t.gpu(numa, board);
  t.cell(a, b, "PHB");
  return t.machine;
}

// Adapters "mlx5_0" …, each with an interface "eth0" …, on top of a machine.
inline model::Machine with_adapters(const std::vector<std::string>& names,
                                    model::Machine machine = {}) {
  const auto source = machine.sources.add("sysfs", model::Trust::kernel);
  int number = 0;
  for (const std::string& name : names) {
    const auto id = machine.add(model::DeviceKind::nic, source);
    if (!machine[id].nic) machine[id].nic.emplace();
    machine[id].nic->rdma_device.claim(name, source);
    machine[id].nic->netdev.claim("eth" + std::to_string(number++), source);
  }
  return machine;
}

}  // namespace railgauge::judge
