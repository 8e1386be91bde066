#include "model/nccl_cost/tuning.h"

#include <algorithm>
#include <cmath>

namespace railgauge::model::nccl_cost {
namespace {

bool at_least(NcclVersion version, int minor, int patch = 0) {
  return version >= NcclVersion{2, minor, patch};
}

std::size_t at(Protocol protocol) { return static_cast<std::size_t>(protocol); }

using Row = std::array<double, 3>;  // by protocol, or by one, two and more nodes

// baseLat
constexpr Row base_tree{6.8, 14.0, 8.4};
constexpr Row base_ring{6.6, 14.0, 8.4};
// hwLat, by medium
constexpr std::array<Row, 3> hop_tree{Row{0.6, 1.25, 4.0}, Row{1.0, 1.9, 4.0}, Row{5.0, 8.5, 14}};
constexpr std::array<Row, 3> hop_ring{Row{0.6, 1.9, 3.4}, Row{1.0, 2.5, 5.7}, Row{2.7, 4.0, 14.0}};

// llMaxBws: one node by GPU, several nodes by CPU.
constexpr Row ll_volta_or_intel{39.0, 39.0, 20.4};
constexpr Row ll_ampere_or_amd{87.7, 22.5, 19.0};

double nvls_hop(NcclVersion version) { return at_least(version, 21) ? 25 : 23; }

double nvls_tree_network(NcclVersion version) {
  if (at_least(version, 28, 9)) return 20.9;
  return at_least(version, 19) ? 14 : 19;
}

double ring_ll128_of_blackwell(std::size_t column, NcclVersion version) {
  if (at_least(version, 29, 7)) return 40.0;
  if (at_least(version, 29)) return column == 1 ? 34.6 : 34.5;
  return column == 1 && at_least(version, 28, 9) ? 34.6 : 2 * 36.7;
}

double pick(const std::array<Row, 4>& table, std::size_t generation, std::size_t column) {
  return table[generation][column];
}

}  // namespace

std::string_view text(Algorithm algorithm) {
  constexpr std::array<std::string_view, 4> words{"Tree", "Ring", "NVLS", "NVLSTree"};
  return words[static_cast<std::size_t>(algorithm)];
}

std::string_view text(Protocol protocol) {
  constexpr std::array<std::string_view, 3> words{"LL", "LL128", "Simple"};
  return words[at(protocol)];
}

Latency latency(Algorithm algorithm, Protocol protocol, Medium medium, NcclVersion version) {
  const auto m = static_cast<std::size_t>(medium);
  switch (algorithm) {
    case Algorithm::ring: return {base_ring[at(protocol)], hop_ring[m][at(protocol)]};
    case Algorithm::tree: {
      Latency out{base_tree[at(protocol)], hop_tree[m][at(protocol)]};
      // Until 2.22 a step of Tree/Simple was thought to take 28 us, so rings won.
      if (protocol == Protocol::simple && !at_least(version, 23)) out = {0, 28};
      return out;
    }
    case Algorithm::nvls: return {0, medium == Medium::network ? 18 : nvls_hop(version)};
    case Algorithm::nvls_tree:
      return {0, medium == Medium::network ? nvls_tree_network(version) : nvls_hop(version)};
  }
  return {};
}

Ceilings ceilings(int compute_capability, int nodes, bool amd_cpu, NcclVersion version) {
  const std::size_t column = nodes <= 1 ? 0 : nodes == 2 ? 1 : 2;
  const std::size_t generation = compute_capability >= 100  ? 3
                                 : compute_capability >= 90 ? 2
                                 : compute_capability >= 80 ? 1
                                                            : 0;
  const bool newer = at_least(version, 28);
  const Row ll_hopper = at_least(version, 21) ? Row{141.0, 45.0, 35.0} : ll_ampere_or_amd;
  const std::array<Row, 4> ll{ll_volta_or_intel, ll_ampere_or_amd, ll_hopper,
                              Row{2 * 141.0, 2 * 45.0, 2 * 35.0}};
  constexpr Row flat{20, 20, 20};
  const std::array<Row, 4> tree_ll128{
      flat, flat, Row{36.7, 36.7, 29.0},
      newer ? Row{55.6, 31.67, 20.0} : Row{2 * 36.7, 2 * 36.7, 2 * 29.0}};
  const std::array<Row, 4> tree{Row{26.5, 18.5, 10.0}, Row{24.0, 23.6, 17.8}, Row{38.7, 41.4, 36.0},
                                newer ? Row{70.0, 42.8, 24.0} : Row{77.4, 82.8, 72.0}};
  const double blackwell_nvls_tree = at_least(version, 30)      ? 80.0
                                     : at_least(version, 28, 9) ? 43.8
                                                                : 43.1;
  const std::array<Row, 4> nvls_tree{Row{26.5, 18.5, 10.0}, Row{24.0, 23.6, 17.8},
                                     Row{0, 57.7, 45.5}, Row{0, 96.0, blackwell_nvls_tree}};
  Ceilings out;
  // With several nodes the row is that of the CPU, not of the GPU.
  out.ll = pick(ll, nodes == 1 ? generation : (amd_cpu ? 1 : 0), column);
  out.ring_ll128 = generation == 3   ? ring_ll128_of_blackwell(column, version)
                   : generation == 2 ? 36.7
                                     : 20;
  out.tree_ll128 = pick(tree_ll128, generation, column);
  out.tree = pick(tree, generation, column);
  out.nvls_tree = pick(nvls_tree, generation, column);
  out.nvls_efficiency = generation == 3 ? 0.74 : generation == 2 ? 0.85 : 0;
  out.ring_ll_fraction = at_least(version, 21) ? 0.5 : 0.25;
  return out;
}

double tree_correction(Protocol protocol, double bytes) {
  // Powers of two from 64 bytes to 256 MB, one row a protocol.
  static constexpr std::array<std::array<double, 23>, 3> factors{
      {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1},
       {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1},
       {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
        .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};
  if (bytes < 64) return 1;
  const double step = std::floor(std::log2(bytes / 64));
  if (step >= 23) return 1;
  return factors[at(protocol)][static_cast<std::size_t>(step)];
}

double board_clock_mhz(int compute_capability) {
  switch (compute_capability) {
    case 70: return 1530;   // V100 SXM2
    case 80: return 1410;   // A100
    case 89: return 2520;   // L40S
    case 100: return 1965;  // B200
    default: return reference_clock_mhz;
  }
}

}  // namespace railgauge::model::nccl_cost
