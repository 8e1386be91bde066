// Kernel modules that matter here: drivers of GPUs and network adapters, RDMA, peer memory, shared
// memory between processes, and what they are often mistaken for. A '*' at the end stands for any
// rest. Of other modules nothing is kept.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace railgauge::observe {

inline constexpr std::array<std::string_view, 47> module_names{
    "nvidia*", "nv_peer_mem", "gdrdrv",     "nouveau", "amdgpu",         "amdkfd",   "amd_peer*",
    "mlx5_*",  "mlx4_*",      "mlx_compat", "mlxdevm", "mlxfw",          "mst_*",    "knem",
    "xpmem",   "ib_*",        "iw_*",       "rdma_*",  "irdma",          "bnxt_*",   "ice",
    "i40e",    "ixgbe",       "ena",        "efa",     "efa_nv_peermem", "gve",      "mana",
    "mana_ib", "hns_roce*",   "qede",       "qedr",    "cxgb4",          "rdmavt",   "siw",
    "vfio*",   "iommufd",     "nfsrdma",    "rpcrdma", "svcrdma",        "xprtrdma", "nvme_rdma",
    "ipmi_si", "bonding",     "acs_*",      "gdrcopy", "dmabuf_*"};

inline bool is_module_of_interest(std::string_view name) {
  return std::any_of(module_names.begin(), module_names.end(), [&](std::string_view pattern) {
    if (!pattern.ends_with('*')) return name == pattern;
    pattern.remove_suffix(1);
    return name.starts_with(pattern);
  });
}

}  // namespace railgauge::observe
