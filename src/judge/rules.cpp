// The one list of all rules.
#include <array>

#include "judge/rules/families.h"

namespace railgauge::judge {

std::span<const Family> families() {
  static const std::array list{
      pcie_link_rules(),     pcie_errors_rules(),    pcie_config_rules(),
      nvlink_rules(),        nvlink_fabric_rules(),  gpu_health_rules(),
      xid_rules(),           placement_rules(),      interrupts_rules(),
      host_rules(),          versions_rules(),       gpu_nic_rules(),
      ports_rules(),         gids_rules(),           port_counters_rules(),
      gpudirect_rules(),     nccl_transport_rules(), nccl_failure_rules(),
      nccl_setup_rules(),    variables_rules(),      variables_harmful_rules(),
      variables_ucx_rules(), topology_file_rules(),  hang_rules(),
      bandwidth_rules(),
  };
  return list;
}

}  // namespace railgauge::judge
