// One machine: its devices, the links between them, what sources said about pairs, and what is odd.
//   Machine machine = …reader…;
//   settle(machine, catalogue);               // ids, links and rates from the facts
//   for (const Link& link : machine.links) …
// Readers make partial machines; observe joins them into one; settle() derives the rest. No I/O
// here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/benchmark.h"
#include "model/device.h"
#include "model/event.h"
#include "model/hang.h"
#include "model/host_facts.h"
#include "model/nccl_run.h"
#include "model/path_class.h"
#include "model/topology_file.h"

namespace railgauge::model {

enum class LinkKind : std::uint8_t {
  pcie,
  nvlink,
  xgmi,      // AMD GPU to GPU
  c2c,       // NVLink-C2C, GPU to CPU
  socket,    // CPU package to CPU package: UPI, xGMI, NVLink-C2C between Graces
  mesh,      // between NUMA nodes of one package
  internal,  // inside one chip or package: not a bottleneck we model
};
std::string_view text(LinkKind kind);  // also the JSON word

struct Link {
  DeviceId a;  // for pcie: the device further from the CPU
  DeviceId b;
  LinkKind kind = LinkKind::internal;
  Fact<int> width;           // lanes (pcie), links in the bond (nvlink, xgmi), as found
  Fact<int> width_possible;  // what both ends could do
  Fact<PcieSpeed> speed;     // pcie only, as found
  Fact<PcieSpeed> speed_possible;
  Fact<int> version;                 // NVLink or C2C generation
  Reading<BytesPerSecond> as_found;  // one direction, from what is negotiated now; unknown says why
  Reading<BytesPerSecond> nominal;   // one direction, from what both ends could do
  SourceRef source;

  friend bool operator==(const Link&, const Link&) = default;
};

// What matrices say about two devices; (a, b) with a < b. Both orders land in the same Pair, so a
// matrix that is not symmetric shows as a disputed fact.
struct Pair {
  DeviceId a;
  DeviceId b;
  Fact<PathClass> smi;  // nvidia-smi topo -m
  Fact<P2pStatus> p2p_read;
  Fact<P2pStatus> p2p_write;
  Fact<P2pStatus> p2p_nvlink;
  Fact<P2pStatus> p2p_atomics;
  Fact<P2pStatus> p2p_pcie;
  Fact<int> rocm_weight;
  Fact<int> rocm_hops;
  Fact<std::string> rocm_link;  // "XGMI", "PCIE"
  friend bool operator==(const Pair&, const Pair&) = default;
};

enum class RemarkLevel : std::uint8_t { note, warning, error };

// Something a reader or the join wants the user to know: a cut row, an unknown tag, a conflict.
struct Remark {
  RemarkLevel level = RemarkLevel::note;
  std::string text;
  SourceRef source;
  friend bool operator==(const Remark&, const Remark&) = default;
};

// When and how a recording was made; empty for pasted text.
struct Taken {
  std::string made_at;  // RFC 3339, UTC, when the first sample began
  std::string tool;     // version of what wrote it
  bool as_root = false;
  bool identities_replaced = false;
  std::string identity_key;            // tells whether two recordings were replaced alike
  std::vector<double> sample_seconds;  // further samples, since the first
  friend bool operator==(const Taken&, const Taken&) = default;
};

struct Machine {
  std::string name;  // hostname, file name or synthetic name
  std::optional<Taken> taken;
  Sources sources;
  HostFacts host;
  std::vector<KernelModule> modules;
  std::vector<Variable> variables;
  std::vector<Interrupt> interrupts;
  std::vector<Event> events;
  std::vector<NcclRun> nccl_runs;  // one a log
  std::vector<HangDump> hangs;     // one a job
  std::vector<BenchmarkRun> benchmarks;
  std::vector<TopologyFile> topology_files;
  std::vector<Device> devices;
  std::vector<Link> links;
  std::vector<Pair> pairs;
  std::vector<Remark> remarks;
  // A matrix made with `topo -mp` hides NVLink: absence of NV# means nothing then.
  bool nvlink_hidden = false;

  Device& operator[](DeviceId id) { return devices[id.value]; }
  const Device& operator[](DeviceId id) const { return devices[id.value]; }

  DeviceId add(DeviceKind kind, SourceRef seen_in);
  Pair& pair(DeviceId a, DeviceId b);  // the existing one, or a new one; a != b
  const Pair* find_pair(DeviceId a, DeviceId b) const;
  void remark(RemarkLevel level, std::string text, SourceRef source);

  std::vector<DeviceId> all() const;
  std::vector<DeviceId> of_kind(DeviceKind kind) const;
  std::optional<DeviceId> at(const PciAddress& address) const;
  std::optional<DeviceId> indexed(DeviceKind kind, int index) const;
  // By id, RDMA device, netdev, "GPU3", "NIC2" or PCI address, ignoring case: what a person types.
  std::optional<DeviceId> find(std::string_view what) const;

  friend bool operator==(const Machine&, const Machine&) = default;
};

// The devices from `id` (included) up to the root. Stops at a cycle, which settle() reports.
std::vector<DeviceId> ancestry(const Machine& machine, DeviceId id);

}  // namespace railgauge::model
