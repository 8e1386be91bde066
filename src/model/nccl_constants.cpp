#include "model/nccl_constants.h"

#include <array>
#include <utility>

namespace railgauge::model::nccl {
namespace {

bool at_least(NcclVersion version, int minor) { return version >= NcclVersion{2, minor, 0}; }

bool is_arm(const CpuFacts& cpu) {
  return (cpu.architecture && (*cpu.architecture == "arm64" || *cpu.architecture == "aarch64")) ||
         (cpu.vendor && *cpu.vendor == "ARM");
}

bool is_power(const CpuFacts& cpu) {
  return cpu.architecture && cpu.architecture->starts_with("ppc64");
}

double intel_gbps(const CpuFacts& cpu, NcclVersion version) {
  const int model = cpu.family.value_or(0) == 6 ? cpu.model.value_or(0) : 0;
  if (at_least(version, 26) && model >= 0xcf) return 40;     // ERP_QPI_BW: Emerald Rapids
  if (at_least(version, 26) && model >= 0x8f) return 22;     // SRP_QPI_BW: Sapphire Rapids
  if (model >= 0x55) return at_least(version, 18) ? 10 : 9;  // SKL_QPI_BW: Skylake
  return 6;                                                  // BDW_QPI_BW: Broadwell
}

}  // namespace

double nvlink_gbps(int sm, NcclVersion version) {
  const double volta = at_least(version, 18) ? 20 : at_least(version, 10) ? 22 : 21;
  if (sm >= 100 && at_least(version, 25)) return at_least(version, 28) ? 40.1 : 40;
  if (sm >= 90 && at_least(version, 18)) return at_least(version, 20) ? 20.6 : 20;
  if (sm == 86) return 12;
  if (sm >= 70) return volta;
  if (sm >= 60) return 18;
  return volta;
}

std::optional<double> pcie_gbps(PcieSpeed speed, int width) {
  constexpr std::array<std::pair<int, int>, 6> per_lane{
      {{1, 15}, {2, 30}, {3, 60}, {4, 120}, {5, 240}, {6, 480}}};
  for (const auto& [generation, value] : per_lane)
    if (generation == speed.generation()) return (width > 0 ? width : 16) * value / 80.0;
  return std::nullopt;
}

std::optional<double> inter_cpu_gbps(const CpuFacts& cpu, NcclVersion version) {
  if (is_power(cpu)) return 32;  // P9_BW
  if (is_arm(cpu)) return 6;     // ARM_BW
  if (!cpu.vendor) return std::nullopt;
  if (is_intel(cpu)) return intel_gbps(cpu, version);
  // AMD_BW; before 2.19 the figure of the old Intel parts stood in.
  if (*cpu.vendor == "AuthenticAMD" || *cpu.vendor == "AMD") return at_least(version, 19) ? 16 : 6;
  const bool zhaoxin = *cpu.vendor == "CentaurHauls" || *cpu.vendor == "  Shanghai  ";
  if (zhaoxin) return cpu.family.value_or(0) == 7 && cpu.model.value_or(0) == 0x5b ? 9 : 6;
  return std::nullopt;
}

bool is_intel(const CpuFacts& cpu) { return cpu.vendor && *cpu.vendor == "GenuineIntel"; }

}  // namespace railgauge::model::nccl
