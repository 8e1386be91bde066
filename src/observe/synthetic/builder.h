// Turns the PCI tree of a description into devices. One builder per machine.
#pragma once

#include <map>
#include <string>

#include "model/machine.h"
#include "observe/synthetic/cells.h"
#include "observe/synthetic/part.h"

namespace railgauge::observe {

class Builder {
 public:
  Builder(model::Machine& machine, Parts parts, model::SourceRef source)
      : machine_(machine), parts_(std::move(parts)), source_(source) {}

  void packages_and_nodes(YamlRow& top);  // `cpu`, `numa`, `distances`
  void tree(YamlRow& top);                // `tree`
  void number_devices();                  // indices, and the names made from them; by PCI address

 private:
  void host_bridge(YamlRow& row, const Cells& cells);
  void below(YamlRow& row, const Cells& cells, model::DeviceId parent, int depth);
  void function(YamlRow& row, const Cells& cells, model::DeviceId parent, int depth);
  void describe(model::Device& device, const Part& part);
  model::DeviceId add_function(const Part& part, model::DeviceKind kind,
                               const model::PciAddress& address, model::DeviceId parent);
  model::DeviceId add_switch_port(model::DeviceId pcie_switch, const Part& switch_part);
  model::SourceRef at(const YamlRow& row) const { return source_.at_line(row.line()); }

  model::Machine& machine_;
  Parts parts_;
  model::SourceRef source_;
  std::map<int, model::DeviceId> nodes_;
  std::map<model::DeviceId, int> ports_used_;       // of a switch
  std::map<model::DeviceId, const Part*> part_of_;  // of a device
  std::map<model::DeviceId, std::string> acs_;      // not yet claimed
  int numa_ = 0;                                    // of the host bridge being built
};

}  // namespace railgauge::observe
