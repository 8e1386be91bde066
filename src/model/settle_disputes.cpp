// Facts on which two sources disagree, with both sources named.
#include <fmt/format.h>

#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

std::string word(int value) { return std::to_string(value); }
std::string word(PcieSpeed value) { return value.text(); }
std::string word(const PciAddress& value) { return value.text(); }
std::string word(const std::string& value) { return value; }
std::string word(BytesPerSecond value) { return text(value); }
std::string word(PathClass value) { return value.text(); }
std::string word(P2pStatus value) { return std::string(text(value)); }

class Disputes {
 public:
  explicit Disputes(Machine& machine) : machine_(machine) {}

  // Product names and CPU lists are left out: every tool spells them its own way.
  template <class T>
  void check(const std::string& subject, const char* what, const Fact<T>& fact,
             RemarkLevel level = RemarkLevel::warning) {
    if (!fact.disputed()) return;
    const auto& first = fact.claims().front();
    for (const auto& other : fact.claims()) {
      if (other.value == first.value || other.source.trust <= Trust::inferred) continue;
      remark_once(machine_, level,
                  fmt::format("{}: {} is {} by {}, but {} by {}", subject, what, word(first.value),
                              machine_.sources.text(first.source), word(other.value),
                              machine_.sources.text(other.source)),
                  other.source);
      return;
    }
  }

 private:
  Machine& machine_;
};

// `topo -m` and `topo -mp` of one machine do not disagree: the second hides NVLink on purpose.
Fact<PathClass> comparable(const Fact<PathClass>& cell) {
  Fact<PathClass> out;
  for (const auto& claim : cell.claims())
    if ((claim.value.kind == SmiClass::nv) == (cell->kind == SmiClass::nv))
      out.claim(claim.value, claim.source);
  return out;
}

void check_device(Disputes& disputes, const Device& device) {
  const std::string& id = device.id;
  disputes.check(id, "index", device.index);
  disputes.check(id, "PCI address", device.address);
  disputes.check(id, "NUMA node", device.numa_node);
  if (device.pci) {
    const LinkEnd& link = device.pci->link;
    // Two looks at different times may both be right: an idle GPU lowers its generation.
    const auto level = device.gpu ? RemarkLevel::note : RemarkLevel::warning;
    disputes.check(id, "PCIe generation", link.current_speed, level);
    disputes.check(id, "highest PCIe generation", link.max_speed);
    disputes.check(id, "PCIe lanes", link.current_width);
    disputes.check(id, "most PCIe lanes", link.max_width);
  }
  if (device.gpu) {
    disputes.check(id, "compute capability", device.gpu->compute_capability);
    disputes.check(id, "UUID", device.gpu->uuid);
    disputes.check(id, "NVLink count", device.gpu->nvlink_count_max);
  }
  if (device.nic) {
    disputes.check(id, "RDMA device", device.nic->rdma_device);
    for (const NicPort& port : device.nic->ports) {
      disputes.check(id, "port rate", port.rate);
      disputes.check(id, "port state", port.state);
      disputes.check(id, "link layer", port.link_layer);
      disputes.check(id, "active RDMA MTU", port.active_mtu_bytes);
    }
  }
}

}  // namespace

void remark_disputes(Machine& machine) {
  Disputes disputes(machine);
  for (const Device& device : machine.devices) check_device(disputes, device);
  for (const Link& link : machine.links)
    if (link.kind != LinkKind::pcie)
      disputes.check(machine[link.a].id + " and " + machine[link.b].id, "link count", link.width);
  for (const Pair& pair : machine.pairs) {
    const std::string both = machine[pair.a].id + " and " + machine[pair.b].id;
    disputes.check(both, "class", comparable(pair.smi));
    disputes.check(both, "read status", pair.p2p_read);
    disputes.check(both, "write status", pair.p2p_write);
  }
}

}  // namespace railgauge::model
