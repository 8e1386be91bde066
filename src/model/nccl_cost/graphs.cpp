#include "model/nccl_cost/graphs.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace railgauge::model::nccl_cost {
namespace {

// speedArrayIntra, speedArrayInter and their sm90 and sm100 kin.
constexpr double intra_old[] = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
constexpr double inter_old[] = {48, 30, 28, 24, 20, 18,  15,  12,   10,  9,
                                7,  6,  5,  4,  3,  2.4, 1.2, 0.24, 0.12};
constexpr double intra_sm90[] = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
constexpr double inter_sm90[] = {48, 45, 42, 40, 30,  24,  22,   20,  17.5,
                                 15, 12, 6,  3,  2.4, 1.2, 0.24, 0.12};
constexpr double intra_sm100[] = {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18};
constexpr double inter_sm100[] = {96,   48, 45.1, 42, 40, 30,  24,  22,   20,
                                  17.5, 15, 12,   6,  3,  2.4, 1.2, 0.24, 0.12};

constexpr int most_nvls_heads = 32;  // NCCL_MAX_NVLS_ARITY
constexpr double slack = 1e-6;

std::span<const double> speeds(const Fabric& fabric) {
  const bool several = fabric.nodes > 1;
  if (fabric.compute_capability >= 100)
    return several ? std::span<const double>(inter_sm100) : std::span<const double>(intra_sm100);
  if (fabric.compute_capability >= 90)
    return several ? std::span<const double>(inter_sm90) : std::span<const double>(intra_sm90);
  return several ? std::span<const double>(inter_old) : std::span<const double>(intra_old);
}

int most_channels(const Fabric& fabric) {  // MAXCHANNELS
  return fabric.version >= NcclVersion{2, 25, 0} ? 64 : 32;
}

int times(double whole, double part) {
  return static_cast<int>(std::min(std::floor(whole / part + slack), 1e6));
}

// Channels of this speed that the GPUs' links and the adapters have room for.
int room(const Fabric& fabric, double speed) {
  int out = std::min(times(fabric.gpu_gbps, speed), most_channels(fabric) / 2);
  if (fabric.gpus_per_node == 1)
    out = most_channels(fabric) / 2;  // nothing to cross inside the node
  if (fabric.nodes > 1) out = std::min(out, fabric.nics * times(fabric.nic_gbps, speed));
  return out;
}

// Few fast channels are split in two (ncclTopoDupChannels).
Graph split(Graph graph, const Fabric& fabric) {
  if (graph.channels == 0 || graph.intra < 25) return graph;
  if (fabric.compute_capability > 80 && graph.intra < 50 && graph.channels > 4) return graph;
  const int doubled = std::min(graph.channels * 2, most_channels(fabric) / 2);
  const int parts = (doubled + graph.channels - 1) / graph.channels;
  return {doubled, graph.intra / parts, graph.inter / parts};
}

}  // namespace

Graph ring_graph(const Fabric& fabric) {
  Graph best;
  for (const double speed : speeds(fabric)) {
    // NCCL stops trying lower speeds at half of what it has.
    if (best.channels > 0 && speed / best.inter <= 0.49) break;
    const int channels = room(fabric, speed);
    if (channels * speed > best.channels * best.inter + slack) best = {channels, speed, speed};
  }
  return split(best, fabric);
}

Graph nvls_graph(const Fabric& fabric) {
  if (!fabric.multicast || fabric.compute_capability < 90 || fabric.gpus_per_node < 2) return {};
  int heads = std::min(fabric.gpus_per_node, most_nvls_heads);
  if (fabric.nodes > 1) heads = std::min(heads, fabric.nics);
  if (heads == 0) return {};
  Graph out{heads, 0, 0};
  for (const double speed : speeds(fabric)) {
    // The link of a head carries its own channel twice, and every other once.
    if ((heads + 1) * speed > fabric.gpu_gbps + slack) continue;
    if (fabric.nodes > 1 && speed > fabric.nic_gbps + slack) continue;
    out.intra = out.inter = speed;
    break;
  }
  if (out.intra <= 0) return {};
  if (fabric.nodes > 1)  // then the adapters may be given more, up to twice as much
    for (const double speed : speeds(fabric))
      if (speed <= fabric.nic_gbps + slack && speed <= 2 * out.intra) {
        out.inter = std::max(out.inter, speed);
        break;
      }
  return out;
}

int ring_blocks(const Fabric& fabric) {
  const Graph graph = ring_graph(fabric);
  int out = 2 * graph.channels;
  if (fabric.compute_capability >= 90 && fabric.nodes > 1 && graph.intra > 45 && out < 16) out *= 2;
  return std::min(out, most_channels(fabric));
}

int nvls_blocks(const Fabric& fabric) {
  if (fabric.compute_capability < 100) return 16;  // NVLS_NCHANNELS_SM90
  return fabric.nodes > 1 ? 32 : 24;               // NVLS_NCHANNELS_SM100, …_NVL
}

}  // namespace railgauge::model::nccl_cost
