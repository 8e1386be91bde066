// Which devices carry the traffic that this program is about, and what is below or above them.
//   const std::set<DeviceId> serving = serving_devices(machine);
//   if (!serving.contains(link.a)) continue;     // storage, chipset, management
// For the families about PCIe. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

// A network adapter for traffic between GPUs: it has an RDMA device, a port of 25 Gb/s or more, or
// a link as fast adapters have. An adapter of which nothing is known counts.
bool is_fast_nic(const model::Device& device);
bool is_gpu_or_fast_nic(const model::Device& device);

// GPUs, fast adapters, and everything above them in the tree.
std::set<model::DeviceId> serving_devices(const model::Machine& machine);

// What ends at the device or below it, itself included: GPUs and fast adapters.
std::vector<model::DeviceId> served_by(const model::Machine& machine, model::DeviceId device);

// The port above is one that nobody saw: what it can do is not known.
bool port_above_unseen(const model::Machine& machine, model::DeviceId device);

// Bytes per second of the adapter's ports together; nothing when no rate is known.
std::optional<BytesPerSecond> port_rates(const model::Device& nic);

// Links in a guest are what its hypervisor shows.
bool links_are_virtual(const Patient& patient);

// What the link gives and could give, with words for what that costs.
void set_cost(model::Finding& finding, const model::Link& link, std::string words);

// "8.0 GB/s of 31.5 GB/s"; empty when a rate is unknown.
std::string rates_of(const model::Link& link);

// Rules of pcie_link_slow.cpp, which pcie_link.cpp puts into the family.
std::vector<Rule> pcie_speed_rules();

}  // namespace railgauge::judge
