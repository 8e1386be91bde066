// For tests: whole machines in a FakeTree.
#pragma once

#include "observe/sysfs/fake_tree.h"

namespace railgauge::observe {

// Two packages, two NUMA nodes; on each node two root buses, each with a root port, a switch, and
// below the switch two GPUs, an InfiniBand adapter and a drive. Root buses 0000:15, 0000:37 on node
// 0, 0000:97, 0000:b7 on node 1. A VGA controller of the management board on 0000:00.
// Without `as_root`, the configuration space is cut at 64 bytes.
void build_gpu_server(const FakeTree& tree, bool as_root);

// A guest with everything on one flat bus, no links, no NUMA node known: two GPUs, a virtio network
// device, a VGA controller of the monitor.
void build_flat_guest(const FakeTree& tree);

void build_cpus(const FakeTree& tree);

}  // namespace railgauge::observe
