// How far apart two devices are, in the words of nvidia-smi and of NCCL.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::model {

// The vocabulary of `nvidia-smi topo -m`, nearest first.
enum class SmiClass : std::uint8_t {
  self,  // X
  nv,    // NV#: a bonded set of # NVLinks
  pix,   // at most one PCIe bridge or switch
  pxb,   // several PCIe switches, no host bridge
  phb,   // one PCIe host bridge
  node,  // several host bridges of one NUMA node
  sys,   // the interconnect between NUMA nodes
};

struct PathClass {
  SmiClass kind = SmiClass::sys;
  int nvlinks = 0;  // only for nv

  // "X", "NV12", "PIX" …; anything else gives nothing.
  static std::optional<PathClass> parse(std::string_view cell);
  std::string text() const;
  friend auto operator<=>(const PathClass&, const PathClass&) = default;
};

struct NcclVersion {
  int major = 2;
  int minor = 28;
  int patch = 0;

  static std::optional<NcclVersion> parse(std::string_view text);  // "2.28.9", "2.18"
  friend auto operator<=>(const NcclVersion&, const NcclVersion&) = default;
};

// NCCL's path types in the order of NCCL 2.30. Which of them exist, and the integer that a log line
// prints ("distance 7 > 4"), depend on the version: see nccl_path_number.
enum class NcclPath : std::uint8_t { loc, nvl, nvb, c2c, pix, pxb, p2c, pxn, phb, sys, net, dis };

std::string_view text(NcclPath path);
std::optional<NcclPath> parse_nccl_path(std::string_view word);

// The integer this version prints for the type, or nothing where the version does not have it.
std::optional<int> nccl_path_number(NcclPath path, NcclVersion version);
std::optional<NcclPath> nccl_path_of_number(int number, NcclVersion version);

// Outcome of nvmlDeviceGetP2PStatus, in the words of `nvidia-smi topo -p2p`.
enum class P2pStatus : std::uint8_t {
  ok,
  chipset_not_supported,   // CNS
  gpu_not_supported,       // GNS
  topology_not_supported,  // TNS
  disabled_by_regkey,      // DR
  not_supported,           // NS
  unknown,                 // U
};
std::string_view text(P2pStatus status);
std::optional<P2pStatus> parse_p2p_status(std::string_view word);

}  // namespace railgauge::model
