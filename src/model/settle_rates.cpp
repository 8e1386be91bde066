// Rates of links from the catalogue. A rate that cannot be known says what is missing.
#include <fmt/format.h>

#include <set>
#include <vector>

#include "base/strings.h"
#include "model/settle_gpu.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

using Rate = Reading<BytesPerSecond>;

Rate missing(const std::string& why) { return Rate::not_reported(why); }

template <class T>
std::string why_not(const char* what, const Fact<T>& fact) {
  return std::string(what) + " " + fact.reading().why();
}

Rate pcie_rate(const Fact<PcieSpeed>& speed, const Fact<int>& width, const Catalogue& catalogue) {
  if (!speed) return missing(why_not("PCIe generation", speed));
  if (!width) return missing(why_not("lane count", width));
  if (*width <= 0) return missing("the link is down: no lane is up");
  const PcieRate* row = catalogue.pcie_rate(*speed);
  if (!row) return missing("the catalogue has no PCIe rate for " + speed->text());
  return row->per_lane * *width;
}

std::string what_is_missing(const Machine& machine, const Link& link) {
  const std::string bond =
      link.width ? fmt::format("NV{}", *link.width) : std::string("the NVLink bond");
  for (const DeviceId end : {link.a, link.b})
    if (machine[end].kind == DeviceKind::gpu && !machine[end].name &&
        !(machine[end].pci && machine[end].pci->id))
      return bond + " has no generation: GPU model unknown";
  return bond + " has no generation: the catalogue does not know this GPU";
}

Rate bond_rate(const Machine& machine, const Link& link, const Fact<int>& width,
               const Catalogue& catalogue) {
  if (!width) return missing(why_not("NVLink count", width));
  if (*width <= 0) return missing("no NVLink of the bond is active");
  for (const DeviceId end :
       {link.a, link.b}) {  // boards that run their links at a rate of their own
    if (machine[end].kind != DeviceKind::gpu) continue;
    const GpuBoard* board = catalogue.board(machine[end]);
    if (board && board->nvlink_per_link) return *board->nvlink_per_link * *width;
  }
  if (!link.version) return missing(what_is_missing(machine, link));
  const NvLinkRate* row = catalogue.nvlink_rate(*link.version);
  if (!row)
    return missing(fmt::format("the catalogue has no rate for NVLink version {}", *link.version));
  return row->per_link * *width;
}

Rate xgmi_rate(const Machine& machine, const Link& link, const Fact<int>& width,
               const Catalogue& catalogue) {
  if (!width) return missing("xGMI link count unknown: " + width.reading().why());
  for (const DeviceId end : {link.a, link.b}) {
    if (machine[end].kind != DeviceKind::gpu) continue;
    const GpuBoard* board = catalogue.board(machine[end]);
    if (board && board->xgmi_per_link) return *board->xgmi_per_link * *width;
  }
  return missing("xGMI rate unknown: the catalogue does not know this GPU");
}

// Rates between CPUs, by their packages and NUMA nodes.
class SocketRates {
 public:
  SocketRates(const Machine& machine, const Catalogue& catalogue)
      : machine_(machine), rows_(machine.devices.size()) {
    for (const DeviceId id : machine.all())
      if (const auto& cpu = machine[id].cpu) rows_[id.value] = catalogue.socket_rate(*cpu);
    // A NUMA node may have the CPU facts that its package lacks.
    for (const DeviceId id : machine.of_kind(DeviceKind::numa_node))
      if (const auto& package = machine[id].parent; package && !rows_[package->value])
        rows_[package->value] = rows_[id.value];
    for (const Link& link : machine.links)
      if (link.kind == LinkKind::socket)
        for (const DeviceId end : {link.a, link.b})
          if (machine[end].kind == DeviceKind::numa_node) nodes_.insert(end);
  }

  Rate rate(const Link& link) const {
    if (may_share_package(link))
      return missing("which NUMA nodes share a CPU package is not known");
    const SocketRate* row = rows_[link.a.value] ? rows_[link.a.value] : rows_[link.b.value];
    if (!row) return missing("CPU model unknown, or not in the catalogue");
    return row->per_link * row->links;
  }

 private:
  // Two nodes are two sockets as a rule; of more, some share one, and only distances tell which.
  bool may_share_package(const Link& link) const {
    const auto placed = [&](DeviceId id) {
      const Device& device = machine_[id];
      return device.kind != DeviceKind::numa_node || (device.cpu && device.cpu->distances);
    };
    return nodes_.size() > 2 && !placed(link.a) && !placed(link.b);
  }

  const Machine& machine_;
  std::vector<const SocketRate*> rows_;  // by device
  std::set<DeviceId> nodes_;             // at the ends of socket links
};

// A reading that a source gave stands where the catalogue has nothing.
void settle_rate(Rate& rate, Rate computed) {
  if (computed || !rate) rate = std::move(computed);
}

void settle_pcie_rates(Link& link, const Catalogue& catalogue) {
  settle_rate(link.as_found, pcie_rate(link.speed, link.width, catalogue));
  settle_rate(link.nominal, pcie_rate(link.speed_possible, link.width_possible, catalogue));
}

// hwloc gives the rate of a link as one number, without width and generation.
void take_stated_rate(const Machine& machine, Link& link) {
  if (link.as_found) return;
  for (const Attribute& attribute : machine[link.a].attributes) {
    if (attribute.key != "hwloc.pci_link_speed_gb_per_s") continue;
    const auto rate = parse_double(attribute.value);
    if (!rate || *rate <= 0 || *rate > 10'000) return;
    link.as_found = gigabytes_per_second(*rate);
    if (!link.nominal)
      link.nominal = missing("the source gives the rate now, and not what both ends could do");
  }
}

}  // namespace

void settle_rates(Machine& machine, const Catalogue& catalogue) {
  const SocketRates sockets(machine, catalogue);
  for (Link& link : machine.links) {
    switch (link.kind) {
      case LinkKind::pcie:
        settle_pcie_rates(link, catalogue);
        take_stated_rate(machine, link);
        break;
      case LinkKind::nvlink:
        settle_rate(link.as_found, bond_rate(machine, link, link.width, catalogue));
        settle_rate(link.nominal, bond_rate(machine, link, link.width_possible, catalogue));
        break;
      case LinkKind::xgmi:
        settle_rate(link.as_found, xgmi_rate(machine, link, link.width, catalogue));
        settle_rate(link.nominal,
                    xgmi_rate(machine, link, link.width_possible ? link.width_possible : link.width,
                              catalogue));
        break;
      case LinkKind::socket:
        settle_rate(link.as_found, sockets.rate(link));
        settle_rate(link.nominal, sockets.rate(link));
        break;
      case LinkKind::mesh:
        settle_rate(link.as_found, missing("the mesh inside a package is not modelled"));
        settle_rate(link.nominal, missing("the mesh inside a package is not modelled"));
        break;
      case LinkKind::internal:
        settle_rate(link.as_found, missing("inside one chip: not a bottleneck we model"));
        settle_rate(link.nominal, missing("inside one chip: not a bottleneck we model"));
        break;
      case LinkKind::c2c:
        settle_rate(link.as_found, missing("no source gives the rate of this C2C link"));
        settle_rate(link.nominal, link.as_found);
        break;
    }
  }
}

}  // namespace railgauge::model
