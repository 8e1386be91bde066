// Whether the kernel, systemd or a driver gave a network or RDMA interface its name. Others were
// chosen by people and may say what a site is called.
#pragma once

#include <string_view>

namespace railgauge::observe::privacy {

bool is_systematic_netdev(std::string_view name);       // eth0, enp26s0f0np0, ib0, bond0.100
bool is_systematic_rdma_device(std::string_view name);  // mlx5_0, rocep1s0, bnxt_re0

}  // namespace railgauge::observe::privacy
