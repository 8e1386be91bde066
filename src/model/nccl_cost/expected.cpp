#include "model/nccl_cost/expected.h"

#include <algorithm>
#include <cmath>

#include "model/nccl_cost/choice.h"
#include "model/nccl_cost/graphs.h"

namespace railgauge::model::nccl_cost {
namespace {

// Latencies inside a node are instructions of an SM and scale with its clock.
double clock_factor(const Fabric& fabric) {
  const double clock =
      fabric.sm_clock_mhz > 0 ? fabric.sm_clock_mhz : board_clock_mhz(fabric.compute_capability);
  return std::clamp(reference_clock_mhz / clock, 0.5, 3.0);
}

// The last step of a ring copies from the own buffer to the output, at what thread blocks move.
// NCCL's model counts the steps over links alone. LL has it in its measured ceiling.
double last_copy_us(const Fabric& fabric, const Choice& choice, double bytes) {
  if (choice.algorithm != Algorithm::ring || choice.protocol == Protocol::ll) return 0;
  const Ceilings top =
      ceilings(fabric.compute_capability, 1, fabric.amd_cpu, fabric.version);  // within one GPU
  const double block = choice.protocol == Protocol::simple ? top.tree : top.ring_ll128;
  const int blocks = ring_blocks(fabric);
  return blocks > 0 ? bytes / fabric.ranks() / (1000 * blocks * block) : 0;
}

// Chunks that a thread block of NVLS works through (calcCollChunking in src/enqueue.cc).
double nvls_chunks(const Fabric& fabric, const Choice& choice, double bytes) {
  const double at_once = static_cast<double>(nvls_blocks(fabric)) * nvls_graph(fabric).channels;
  double chunk = 131072;  // NCCL_NVLS_CHUNKSIZE
  const bool tree = choice.algorithm == Algorithm::nvls_tree;
  if (tree && fabric.nodes >= 4) chunk = 65536;
  if (bytes < (tree ? 4 : 64) * at_once * chunk) chunk = std::min(chunk, 65536.0);
  if (bytes < (tree ? 1 : 8) * at_once * chunk) chunk = std::min(chunk, 32768.0);
  if (!tree && bytes < 2 * at_once * chunk) chunk = std::min(chunk, 16384.0);
  return std::max(1.0, std::ceil(bytes / (at_once * chunk)));
}

// Copy in, reduce and copy out are a pipe of three stages; NCCL's model counts a full pipe.
double pipe_factor(const Fabric& fabric, const Choice& choice, double bytes) {
  if (choice.algorithm != Algorithm::nvls && choice.algorithm != Algorithm::nvls_tree) return 1;
  const double chunks = nvls_chunks(fabric, choice, bytes);
  return (chunks + 2) / chunks;
}

Expected finished(const Fabric& fabric, Collective collective, double bytes, double wait_us,
                  double move_us) {
  Expected out;
  out.seconds = (wait_us + move_us) * 1e-6;
  out.algbw = {bytes / out.seconds};
  out.busbw = out.algbw * bus_factor(collective, fabric.ranks());
  out.latency_share = wait_us / (wait_us + move_us);
  return out;
}

// Every rank sends to every other at once: links inside, adapters between nodes, and the own part
// copied beside it. Latencies are those of one ring step.
std::optional<Expected> point_to_point(const Fabric& fabric, Collective collective, double bytes) {
  const Graph ring = ring_graph(fabric);
  if (ring.channels == 0) return std::nullopt;
  const int ranks = fabric.ranks();
  const bool all = collective == Collective::all_to_all;
  const double part = all ? bytes / ranks : bytes;
  const double inside = all ? part * (fabric.gpus_per_node - 1) : bytes;
  const double outside = all ? part * (ranks - fabric.gpus_per_node) : 0;
  const double link = ring.channels * ring.intra;
  double move_us = inside / (1000 * link);
  if (fabric.nodes > 1) {
    const double adapters = fabric.nics * fabric.nic_gbps / fabric.gpus_per_node;
    const double over_network = all ? outside : bytes;
    move_us = std::max(move_us, over_network / (1000 * adapters));
  }
  // Small messages travel by LL (NCCL_P2P_LL_THRESHOLD: 16 KiB a channel).
  const bool small = part <= 16384.0 * ring_blocks(fabric);
  const Protocol protocol = small ? Protocol::ll : Protocol::simple;
  const Medium medium = fabric.nodes > 1 ? Medium::network
                        : fabric.nvlink  ? Medium::nvlink
                                         : Medium::pcie;
  const Latency wait = latency(Algorithm::ring, protocol, medium, fabric.version);
  Expected out = finished(fabric, collective, bytes,
                          wait.base * clock_factor(fabric) + wait.hop * (all ? 2 : 1), move_us);
  out.protocol = protocol;
  out.tuned = false;
  return out;
}

}  // namespace

std::optional<Expected> expected(const Fabric& fabric, Collective collective, double bytes) {
  if (fabric.ranks() < 2 || !(bytes > 0)) return std::nullopt;
  if (collective == Collective::all_to_all || collective == Collective::send_receive)
    return point_to_point(fabric, collective, bytes);
  const auto choice = choose(fabric, collective, bytes);
  if (!choice) return std::nullopt;
  double bandwidth = choice->algbw_gbps;
  if (choice->algorithm == Algorithm::tree) bandwidth *= tree_correction(choice->protocol, bytes);
  const double move_us = bytes / (1000 * bandwidth) * pipe_factor(fabric, *choice, bytes) +
                         last_copy_us(fabric, *choice, bytes);
  const double inside = choice->latency_us - choice->of_network_us;
  Expected out = finished(fabric, collective, bytes,
                          inside * clock_factor(fabric) + choice->of_network_us, move_us);
  out.algorithm = choice->algorithm;
  out.protocol = choice->protocol;
  return out;
}

}  // namespace railgauge::model::nccl_cost
