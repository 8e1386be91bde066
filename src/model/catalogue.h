// Numbers that age: link rates, boards, CPUs. Loaded from data/*.yaml by observe::catalogue()
// (embedded in the binary) and passed in, so that nothing here reads a file. Every row keeps the
// source it was copied from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/reading.h"
#include "base/units.h"
#include "model/device.h"

namespace railgauge::model {

struct PcieRate {
  int generation = 0;
  std::uint32_t megatransfers = 0;
  BytesPerSecond per_lane;  // one direction, after line coding (8b/10b, 128b/130b, FLIT), before
                            // packet headers
  std::string source;
  friend bool operator==(const PcieRate&, const PcieRate&) = default;
};

struct NvLinkRate {
  int version = 0;
  BytesPerSecond per_link;  // one direction
  std::string source;
  friend bool operator==(const NvLinkRate&, const NvLinkRate&) = default;
};

// A GPU product as sold.
struct GpuBoard {
  std::string name;  // "H100 SXM5 80GB"
  std::vector<PciId> pci_ids;
  std::string name_contains;  // matched against the reported product name when ids are unknown
  int compute_capability = 0;
  std::optional<int> nvlink_version;
  std::optional<int> nvlink_count;  // links per GPU on this board
  std::optional<BytesPerSecond>
      nvlink_per_link;                // one direction, where it is not the version's rate
  std::optional<BytesPerSecond> c2c;  // one direction, to the CPU of the same module
  int pcie_generation = 0;
  int pcie_width = 16;
  std::optional<BytesPerSecond> xgmi_per_link;
  std::optional<int> xgmi_count;
  std::string source;
  friend bool operator==(const GpuBoard&, const GpuBoard&) = default;
};

// The link between CPU packages, by CPU family and model range.
struct SocketRate {
  std::string vendor;  // "GenuineIntel"
  int family = 0;
  int model_min = 0;
  int model_max = 0;
  std::string name;  // "Sapphire Rapids, UPI 2.0"
  int links = 0;
  BytesPerSecond per_link;  // one direction
  std::string source;
  friend bool operator==(const SocketRate&, const SocketRate&) = default;
};

// A PCI function whose name matters to us, beside the system's pci.ids.
struct PciName {
  PciId id;
  std::string name;
  std::string source;
  friend bool operator==(const PciName&, const PciName&) = default;
};

struct Catalogue {
  std::vector<PcieRate> pcie;
  std::vector<NvLinkRate> nvlink;
  std::vector<GpuBoard> boards;
  std::vector<SocketRate> sockets;
  std::vector<PciName> pci_names;

  // nullptr when the catalogue does not know it.
  const PcieRate* pcie_rate(PcieSpeed speed) const;
  const NvLinkRate* nvlink_rate(int version) const;
  const GpuBoard* board(const Device& gpu) const;  // by PCI id, then by name
  const SocketRate* socket_rate(const CpuFacts& cpu) const;
};

}  // namespace railgauge::model
