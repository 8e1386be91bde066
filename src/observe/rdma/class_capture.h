// Copies /sys/class/infiniband and /sys/class/net of a live system.
// In the world every entry of a class directory is a symbolic link into sys/devices. A recording
// has no directory behind a link, so it is laid out as if the class held real directories: the
// files under "sys/class/infiniband/mlx5_0/…", and the link "sys/class/infiniband/mlx5_0/device",
// whose text leads from there to the device, through the PCI function it belongs to:
//   ../../../devices/pci0000:00/0000:00:03.0/virtio2
// Addresses (GUIDs, GIDs, MAC) are taken as they are; who writes a recording to a file replaces
// them. Left out: node_desc, which holds the hostname; and network devices with no device behind
// them (loopback, bridges, bonds, tunnels), whose names may be a tenant's.
#pragma once

#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void capture_infiniband(const Root& root, Recording& recording);
void capture_net(const Root& root, Recording& recording);

}  // namespace railgauge::observe
