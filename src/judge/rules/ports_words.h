// Words that the rules about networks, placement and hosts share: ports with their adapters,
// remedies, lists of devices, rows of rules.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

// One port and its adapter.
struct PortView {
  model::DeviceId nic;
  const model::Device* device = nullptr;
  const model::NicPort* port = nullptr;

  const model::NicFacts& facts() const { return *device->nic; }
};

// Every port of every adapter (and of switches that ibqueryerrors lists).
std::vector<PortView> port_views(const model::Machine& machine);

bool is_active(const model::NicPort& port);
bool is_down(const model::NicPort& port);
bool is_ethernet(const PortView& view);
bool is_infiniband(const PortView& view);
// An Ethernet port of an adapter that is known to do RDMA.
bool is_roce(const PortView& view);

std::string subject_of(const model::Machine& machine, const PortView& view);
// The network interface for commands: "eth0", or "INTERFACE" where none is known.
std::string interface_of(const PortView& view);
// The RDMA device for commands: "mlx5_0", or the device's id.
std::string rdma_name_of(const PortView& view);

// A failure of one port.
model::Finding& fail_port(Verdicts& out, const model::Machine& machine, const PortView& view,
                          std::string text);

// The value of a counter under its common name; nothing when nobody said it.
std::optional<std::uint64_t> counter(const model::NicPort& port, std::string_view name);
// How much it grew between samples; nothing without samples, or when it went back.
std::optional<std::uint64_t> counter_growth(const model::NicPort& port, std::string_view name);
std::optional<double> counter_rate(const model::NicPort& port, std::string_view name);
model::Evidence counter_evidence(const model::Machine& machine, const PortView& view,
                                 std::string_view name, std::string expected = {});

// "gpu1, gpu3 and 2 more"
std::string names_of(const model::Machine& machine, const std::vector<model::DeviceId>& ids,
                     std::size_t most = 8);

// "1 port", "3 ports"
std::string counted(std::uint64_t number, std::string_view noun);
std::string percent(double fraction);

// Steps of remedies.
model::RemedyStep step(std::string text, std::string command = {});
model::RemedyStep root_step(std::string text, std::string command,
                            model::Risk risk = model::Risk::none, std::string risk_text = {});

// The value of an environment variable that was seen; the last one wins, as in a shell.
const model::Variable* variable(const model::Machine& machine, std::string_view name);
bool environment_known(const model::Machine& machine);

const model::KernelModule* module_named(const model::Machine& machine, std::string_view name);

// Rows of several files as one family.
std::vector<Rule> together(std::initializer_list<std::vector<Rule>> parts);

}  // namespace railgauge::judge
