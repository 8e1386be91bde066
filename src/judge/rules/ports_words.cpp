#include "judge/rules/ports_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/strings.h"

namespace railgauge::judge {

using namespace model;

std::vector<PortView> port_views(const Machine& machine) {
  std::vector<PortView> out;
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!device.nic) continue;
    for (const NicPort& port : device.nic->ports) out.push_back({id, &device, &port});
  }
  return out;
}

bool is_active(const NicPort& port) { return port.state && *port.state == "ACTIVE"; }
bool is_down(const NicPort& port) { return port.state && *port.state == "DOWN"; }

bool is_ethernet(const PortView& view) {
  return view.port->link_layer && *view.port->link_layer == "Ethernet";
}

bool is_infiniband(const PortView& view) {
  return view.port->link_layer && *view.port->link_layer == "InfiniBand";
}

bool is_roce(const PortView& view) { return is_ethernet(view) && view.facts().rdma_device; }

std::string subject_of(const Machine& machine, const PortView& view) {
  return subject_of(machine, view.nic, view.port->number);
}

std::string interface_of(const PortView& view) {
  if (view.port->netdev) return *view.port->netdev;
  return view.facts().netdev.value_or("INTERFACE");
}

std::string rdma_name_of(const PortView& view) {
  return view.facts().rdma_device.value_or(view.device->id);
}

Finding& fail_port(Verdicts& out, const Machine& machine, const PortView& view, std::string text) {
  Finding& finding = out.fail(subject_of(machine, view), std::move(text));
  finding.devices = {view.nic};
  return finding;
}

namespace {

const Counter* find(const NicPort& port, std::string_view name) {
  if (const auto at = port.counters.find(name); at != port.counters.end()) return &at->second;
  const auto at = port.driver_counters.find(name);
  return at == port.driver_counters.end() ? nullptr : &at->second;
}

}  // namespace

std::optional<std::uint64_t> counter(const NicPort& port, std::string_view name) {
  const Counter* one = find(port, name);
  if (one == nullptr || !one->value) return std::nullopt;
  return one->later.empty() ? *one->value : one->later.back().value;
}

std::optional<std::uint64_t> counter_growth(const NicPort& port, std::string_view name) {
  const Counter* one = find(port, name);
  if (one == nullptr) return std::nullopt;
  const auto growth = one->growth();
  return growth ? std::optional(*growth) : std::nullopt;
}

std::optional<double> counter_rate(const NicPort& port, std::string_view name) {
  const Counter* one = find(port, name);
  if (one == nullptr) return std::nullopt;
  const auto rate = one->per_second();
  return rate ? std::optional(*rate) : std::nullopt;
}

Evidence counter_evidence(const Machine& machine, const PortView& view, std::string_view name,
                          std::string expected) {
  const Counter* one = find(*view.port, name);
  const SourceRef source = one == nullptr ? SourceRef{} : one->value.source();
  const auto value = counter(*view.port, name);
  std::string observed = value ? std::to_string(*value) : "unknown";
  if (const auto rate = counter_rate(*view.port, name))
    observed += fmt::format(" ({:.3g} per second)", *rate);
  return evidence(machine, std::string(name), std::move(observed), std::move(expected), source);
}

std::string names_of(const Machine& machine, const std::vector<DeviceId>& ids, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < ids.size() && i < most; ++i)
    out += (i == 0 ? "" : ", ") + machine[ids[i]].id;
  if (ids.size() > most) out += fmt::format(" and {} more", ids.size() - most);
  return out;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string percent(double fraction) {
  return fraction < 0.0995 ? fmt::format("{:.1f} %", fraction * 100)
                           : fmt::format("{:.0f} %", fraction * 100);
}

RemedyStep step(std::string text, std::string command) {
  RemedyStep out;
  out.text = std::move(text);
  out.command = std::move(command);
  return out;
}

RemedyStep root_step(std::string text, std::string command, Risk risk, std::string risk_text) {
  RemedyStep out = step(std::move(text), std::move(command));
  out.needs_root = true;
  out.risk = risk;
  out.risk_text = std::move(risk_text);
  return out;
}

const Variable* variable(const Machine& machine, std::string_view name) {
  const auto at = std::find_if(machine.variables.rbegin(), machine.variables.rend(),
                               [name](const Variable& one) { return one.name == name; });
  return at == machine.variables.rend() ? nullptr : &*at;
}

bool environment_known(const Machine& machine) {
  return std::any_of(machine.variables.begin(), machine.variables.end(), [](const Variable& one) {
    return one.name.starts_with("NCCL_") || one.name.starts_with("UCX_");
  });
}

const KernelModule* module_named(const Machine& machine, std::string_view name) {
  const auto at = std::find_if(machine.modules.begin(), machine.modules.end(),
                               [name](const KernelModule& one) { return one.name == name; });
  return at == machine.modules.end() ? nullptr : &*at;
}

std::vector<Rule> together(std::initializer_list<std::vector<Rule>> parts) {
  std::vector<Rule> out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

}  // namespace railgauge::judge
