// What the log of one NCCL job said: who took part, over which networks, which ways between ranks
// were taken, and what went wrong. Distinct facts only: a line said by many ranks, or a thousand
// times, is one entry with a count. Environment variables are in Machine::variables, GPUs and
// adapters also among the devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/fact.h"
#include "model/pci.h"

namespace railgauge::model {

// One process and GPU of the job. A rank is known from its init line; before it, and in excerpts,
// only host, process and device are.
struct NcclRank {
  std::optional<int> rank;
  std::optional<int> ranks;  // size of the communicator
  std::string host;
  std::optional<int> process_id;
  std::optional<int> device;       // "[3]" of the prefix, cudaDev
  std::optional<int> nvml_device;  // differs from `device` under CUDA_VISIBLE_DEVICES
  std::optional<PciAddress> address;
  std::string affinity;                       // CPU mask in hexadecimal: "ffff,ffffffff"
  std::vector<std::string> other_affinities;  // further masks of the same process and GPU
  std::string version;                        // of NCCL, where its own line says so: "2.28.9"
  bool started = false;                       // "Init START", or any line of the start with a rank
  bool complete = false;                      // "Init COMPLETE" was said
  std::optional<double> init_seconds;
  std::string init_phases;  // "kernels 0.18, alloc 0.35, bootstrap 0.02 …", as it stands there
  SourceRef source;
  friend bool operator==(const NcclRank&, const NcclRank&) = default;
};

// An adapter or interface that NCCL lists as usable.
struct NcclNic {
  std::string network;  // "IB", "Socket", "IBext", "OFI" …
  int index = 0;
  std::string name;  // "mlx5_0", "eth0"
  std::optional<int> port;
  std::string layer;  // "IB", "RoCE", "IB/SHARP"; empty for sockets
  std::string host;
  SourceRef source;
  friend bool operator==(const NcclNic&, const NcclNic&) = default;
};

// "GPU Direct RDMA Enabled for HCA 0 'mlx5_0'", "… Disabled for GPU ca000 / HCA 0 (distance 7 > 4)"
struct NcclGdr {
  std::string network;
  std::string nic;  // name, or "HCA 0" where the line has no name
  std::string gpu;  // as the line names it: "ca000", "GPU 0"; empty when it names none
  bool enabled = false;
  std::optional<int> distance;
  std::optional<int> distance_allowed;
  std::uint64_t count = 1;
  SourceRef source;
  friend bool operator==(const NcclGdr&, const NcclGdr&) = default;
};

// One way from a rank to another: "Channel 03/0 : 0[0] -> 1[1] via P2P/IPC".
struct NcclConnection {
  int from = 0;
  int to = 0;
  std::string via;  // "P2P/IPC", "SHM/direct/direct", "NET/IB/0/GDRDMA", "direct shared memory"
  std::string direction;       // "send", "receive", or empty where the line has none
  std::uint64_t channels = 0;  // lines that said so; each channel says it once per connection
  SourceRef source;
  friend bool operator==(const NcclConnection&, const NcclConnection&) = default;
};

struct NcclRingStep {
  int channel = 0;
  int previous = 0;
  int rank = 0;
  int next = 0;
  friend bool operator==(const NcclRingStep&, const NcclRingStep&) = default;
};

struct NcclTreeStep {
  int channel = 0;
  int rank = 0;
  std::optional<int> up;
  std::vector<int> down;
  friend bool operator==(const NcclTreeStep&, const NcclTreeStep&) = default;
};

// A path of NCCL's own topology: "GPU/0-26000 :GPU/0-41000 (3/16.0/SYS)".
struct NcclTopologyPath {
  PciAddress a;
  PciAddress b;
  std::string type;  // "NVL", "PIX", "SYS" … in the words of NCCL
  double gigabytes_per_second = 0;
  SourceRef source;
  friend bool operator==(const NcclTopologyPath&, const NcclTopologyPath&) = default;
};

struct NcclWarning {
  std::string file;  // "transport/net_ib.cc"; empty where the line has none
  std::optional<int> line;
  std::string text;  // numbers that differ from line to line are those of the first
  std::uint64_t count = 1;
  SourceRef source;
  bool information = false;  // said at level INFO: a reason, not yet an error
  std::string host;          // of the first
  std::optional<int> device;
  friend bool operator==(const NcclWarning&, const NcclWarning&) = default;
};

struct NcclRun {
  std::string name;                  // of the log
  Fact<std::string> version;         // "2.28.9"
  Fact<std::string> cuda;            // that NCCL was built with: "12.4"
  Fact<int> cuda_driver;             // 12040
  Fact<std::string> network;         // "IB", "Socket", "AWS Libfabric" …
  Fact<std::string> oob;             // interface of the out-of-band connections: "eth0"
  Fact<int> channels;                // collective channels
  Fact<bool> gdr_used;               // "Connected all rings, use ring PXN 0 GDR 1"
  Fact<double> narrowest_pci;        // GB/s of the narrowest PCI link in NCCL's own topology
  std::vector<std::string> plugins;  // networks and tuners that were loaded, in order
  std::vector<std::string> plugins_missing;  // looked for and not found: "libnccl-net.so"
  std::vector<NcclRank> ranks;               // by rank, those without one last
  std::vector<NcclNic> nics;
  std::vector<NcclGdr> gdr;
  std::vector<NcclConnection> connections;
  std::vector<std::vector<int>> rings;  // whole ones, as old versions print them
  std::vector<NcclRingStep> ring_steps;
  std::vector<NcclTreeStep> tree_steps;
  std::vector<NcclTopologyPath> paths;
  std::vector<NcclWarning> warnings;
  std::uint64_t lines = 0;  // NCCL's own, in the log
  SourceRef source;
  friend bool operator==(const NcclRun&, const NcclRun&) = default;
};

}  // namespace railgauge::model
