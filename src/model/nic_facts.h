// What is known of one network adapter function, as RDMA and the kernel's network stack see it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "model/counter.h"
#include "model/fact.h"

namespace railgauge::model {

// One row of a port's GID table that is in use.
struct Gid {
  int index = 0;
  Fact<std::string> gid;     // eight groups of four hex digits, lower case
  Fact<std::string> type;    // "RoCE v1", "RoCE v2", "IB"
  Fact<std::string> netdev;  // the network device the address belongs to
  friend bool operator==(const Gid&, const Gid&) = default;
};

struct NicPort {
  int number = 1;
  Fact<std::string> state;           // "ACTIVE", "DOWN" …
  Fact<std::string> physical_state;  // "LinkUp", "Polling", "Disabled" …
  Fact<std::string> link_layer;      // "InfiniBand", "Ethernet"
  Fact<BytesPerSecond> rate;         // one direction
  Fact<std::string> rate_words;      // "4X NDR"
  Fact<int> active_mtu_bytes;        // of RDMA: 256 … 4096
  Fact<int> max_mtu_bytes;
  Fact<int> lid;
  Fact<int> sm_lid;
  Fact<std::string> guid;  // of the port: "506b:4b03:00a1:b2c3"
  Fact<std::string> netdev;
  Fact<std::string> mac;
  Fact<int> mtu;                   // of the network device, bytes
  Fact<std::string> netdev_state;  // operstate: "up", "down", "dormant" …
  Fact<std::string> pause_rx;      // global pause (802.3x): "on", "off"
  Fact<std::string> pause_tx;
  std::vector<Gid> gids;
  // Under names common to all drivers (counter_names.h): "rx_bytes", "rx_pause_frames_priority_3",
  // "rx_discards_no_buffer", "link_downed", "out_of_sequence" …
  Counters counters;
  // Under the driver's own names, where no common name exists.
  Counters driver_counters;
  friend bool operator==(const NicPort&, const NicPort&) = default;
};

struct NicFacts {
  Fact<std::string> rdma_device;  // "mlx5_0"
  Fact<std::string> netdev;       // "enp26s0np0"
  Fact<std::string> guid;         // of the node
  Fact<std::string> system_image_guid;
  Fact<std::string> firmware;
  Fact<std::string> board_id;  // PSID: "MT_0000000838"
  Fact<std::string> hca_type;  // "MT4129"
  Fact<std::string> hardware_version;
  Fact<std::string> driver_version;  // ethtool -i
  std::vector<NicPort> ports;
  // As an NCCL topology file states them (speed is in NicPort::rate).
  Fact<int> nccl_device;
  Fact<bool> gpudirect;
  friend bool operator==(const NicFacts&, const NicFacts&) = default;
};

}  // namespace railgauge::model
