// Every family of rules, one function each; the list of them is in rules.cpp.
#pragma once

#include "judge/rule.h"

namespace railgauge::judge {

Family pcie_link_rules();          // width, speed, bandwidth of PCIe links
Family pcie_errors_rules();        // AER, APEI, hot-plug
Family pcie_config_rules();        // ASPM, ACS, IOMMU, BAR1, read request
Family nvlink_rules();             // NVLink and xGMI: missing, narrow, inactive, errors
Family nvlink_fabric_rules();      // fabric manager, fabric state, NVSwitch, IMEX
Family gpu_health_rules();         // missing GPUs, memory, clocks, modes
Family xid_rules();                // Xids by NVIDIA's catalogue
Family placement_rules();          // NUMA: GPUs, processes, memory
Family interrupts_rules();         // NIC interrupts and their CPUs
Family host_rules();               // limits, /dev/shm, governor, kernel arguments, memory errors
Family versions_rules();           // pairs of versions known bad
Family gpu_nic_rules();            // which GPU reaches which NIC, and over what
Family ports_rules();              // RDMA and network ports: state, rate, MTU
Family gids_rules();               // GID tables and indexes
Family port_counters_rules();      // pause, discards, retransmission, ECN, symbol errors
Family gpudirect_rules();          // peer memory, DMA-BUF
Family nccl_transport_rules();     // what NCCL used against what there is
Family nccl_failure_rules();       // errors NCCL reported
Family nccl_setup_rules();         // versions, masks, plugins, start-up
Family variables_rules();          // unknown, removed, dead, malformed variables
Family variables_harmful_rules();  // settings of NCCL that hurt
Family variables_ucx_rules();      // settings of UCX that hurt
Family topology_file_rules();      // NCCL topology files
Family hang_rules();               // which rank never came
Family bandwidth_rules();          // whether a measured bandwidth is normal

}  // namespace railgauge::judge
