// The family of settings in PCIe configuration space and of the IOMMU.
#include "judge/rules/pcie_config.h"

#include <algorithm>

#include "judge/rules/families.h"

namespace railgauge::judge {

using namespace model;

bool serves_virtual_machines(const Machine& machine) {
  const bool vfio = std::any_of(machine.devices.begin(), machine.devices.end(), [](const auto& d) {
    return d.pci && d.pci->driver && *d.pci->driver == "vfio-pci";
  });
  return vfio || std::any_of(machine.modules.begin(), machine.modules.end(),
                             [](const auto& m) { return m.name == "nvidia_vgpu_vfio"; });
}

Family pcie_config_rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = pcie_isolation_rules();
    for (Rule& rule : pcie_tuning_rules()) out.push_back(std::move(rule));
    return out;
  }();
  return list;
}

}  // namespace railgauge::judge
