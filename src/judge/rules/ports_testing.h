// A machine to be checked, built line by line, and what one rule says of it. Only tests include
// this.
//   Bench b;
//   b.nic("mlx5_0", "InfiniBand", "DOWN");
//   EXPECT_EQ(b.only("RDM001").severity, Severity::error);
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "judge/findings.h"
#include "model/testing.h"

namespace railgauge::judge {

struct Bench {
  model::TestMachine t;
  model::Machine& machine = t.machine;
  model::Catalogue catalogue;
  model::Advice advice;
  bool trust_links = false;
  model::SourceRef here = model::from(t.machine, "x.txt", model::Trust::tool).at_line(7);

  // An adapter with one port.
  model::DeviceId nic(const char* name, const char* layer = "Ethernet",
                      const char* state = "ACTIVE") {
    const model::DeviceId id = machine.add(model::DeviceKind::nic, here);
    machine[id].nic->rdma_device.claim(name, here);
    model::NicPort port;
    port.link_layer.claim(layer, here);
    port.state.claim(state, here);
    machine[id].nic->ports.push_back(port);
    return id;
  }
  model::NicPort& port(model::DeviceId id) { return machine[id].nic->ports.front(); }
  // A port whose adapter is not known to do RDMA, as pasted counters are.
  model::DeviceId counters(std::initializer_list<std::pair<const char*, std::uint64_t>> values) {
    const model::DeviceId id = machine.add(model::DeviceKind::nic, here);
    machine[id].nic->ports.emplace_back();
    count(id, values);
    return id;
  }
  void count(model::DeviceId id,
             std::initializer_list<std::pair<const char*, std::uint64_t>> values) {
    for (const auto& [name, value] : values) port(id).counters[name].value.claim(value, here);
  }
  // The same counter ten seconds later.
  void later(model::DeviceId id, const char* name, std::uint64_t value) {
    port(id).counters[name].later.push_back({10, value});
  }
  void gid(model::DeviceId id, int index, const char* address, const char* type) {
    model::Gid row;
    row.index = index;
    row.gid.claim(address, here);
    if (type != nullptr) row.type.claim(type, here);
    port(id).gids.push_back(row);
  }
  void variable(const char* name, const char* value) {
    machine.variables.push_back({name, value, here});
  }
  void module(const char* name) { machine.modules.push_back({name, {}, {}, here}); }
  void event(model::EventKind kind, model::EventSeverity severity, const char* text,
             std::uint64_t times = 1) {
    model::Event event;
    event.kind = kind;
    event.severity = severity;
    event.text = text;
    event.count = times;
    event.source = here;
    machine.events.push_back(event);
    machine.host.kernel_log_lines.claim(100, here);
  }
  // NUMA nodes of as many CPUs each: "0-7", "8-15" …
  void nodes(int number, int cpus) {
    for (int i = 0; i < number; ++i) {
      const model::DeviceId id = t.numa(i);
      machine[id].cpu.emplace().cpus.claim(
          std::to_string(i * cpus) + "-" + std::to_string((i + 1) * cpus - 1), here);
    }
  }
  void guest() { machine.host.hypervisor.claim("kvm", here); }

  model::CheckReport check(const std::string& rule) {
    t.settle();
    return findings(Patient{.machine = machine,
                            .catalogue = catalogue,
                            .advice = advice,
                            .trust_virtual_links = trust_links},
                    {.only = {rule}});
  }
  // The only finding of a rule; an empty one, and a failed test, when there is none or another.
  model::Finding only(const std::string& rule) {
    const model::CheckReport report = check(rule);
    EXPECT_EQ(report.findings.size(), 1U) << rule;
    return report.findings.size() == 1 ? report.findings.front() : model::Finding{};
  }
  bool silent(const std::string& rule) { return check(rule).findings.empty(); }
  bool passes(const std::string& rule) { return check(rule).passed.size() == 1; }
  bool unknown(const std::string& rule) {
    const model::CheckReport report = check(rule);
    return report.findings.empty() && !report.not_checked.empty();
  }
};

inline bool says(const model::Finding& finding, std::string_view words) {
  return finding.text.find(words) != std::string::npos;
}

}  // namespace railgauge::judge
