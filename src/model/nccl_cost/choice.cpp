#include "model/nccl_cost/choice.h"

#include <algorithm>
#include <cmath>

#include "model/nccl_cost/graphs.h"

namespace railgauge::model::nccl_cost {
namespace {

bool only_rings(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::reduce;
}
bool gathers(Collective collective) {
  return collective == Collective::all_gather || collective == Collective::reduce_scatter;
}

int steps(Collective collective, int ranks) {
  if (collective == Collective::all_reduce) return 2 * (ranks - 1);
  return gathers(collective) ? ranks - 1 : ranks;
}

int log2_of(int value) { return static_cast<int>(std::log2(std::max(value, 1))); }

// The figures of one fabric that every algorithm needs.
struct Table {
  explicit Table(const Fabric& f)
      : fabric(f),
        ring(ring_graph(f)),
        nvls(nvls_graph(f)),
        top(ceilings(f.compute_capability, f.nodes, f.amd_cpu, f.version)) {}

  Medium inside() const { return fabric.nvlink ? Medium::nvlink : Medium::pcie; }
  Latency within(Algorithm a, Protocol p) const { return latency(a, p, inside(), fabric.version); }
  Latency between(Algorithm a, Protocol p) const {
    // With one GPU a node latencies are not hidden: the tree's stand for all.
    const Algorithm of = fabric.gpus_per_node == 1 ? Algorithm::tree : a;
    return latency(of, p, Medium::network, fabric.version);
  }

  const Fabric& fabric;
  Graph ring;
  Graph nvls;
  Ceilings top;
};

bool possible(const Table& t, Collective collective, Algorithm algorithm, Protocol protocol) {
  const bool several = t.fabric.nodes > 1;
  if (protocol == Protocol::ll128 && (!t.fabric.nvlink || t.fabric.compute_capability < 70))
    return false;
  switch (algorithm) {
    case Algorithm::ring: return t.ring.channels > 0;
    case Algorithm::tree: return collective == Collective::all_reduce && t.ring.channels > 0;
    case Algorithm::nvls:
      return t.nvls.channels > 1 && !several && protocol == Protocol::simple &&
             !only_rings(collective);
    case Algorithm::nvls_tree:
      return t.nvls.channels > 1 && several && protocol == Protocol::simple &&
             collective == Collective::all_reduce;
  }
  return false;
}

double nvls_busbw(const Table& t, Collective collective, Algorithm algorithm) {
  const Fabric& f = t.fabric;
  const int channels = t.nvls.channels;
  if (f.version < NcclVersion{2, 28, 0}) {
    double inter = t.nvls.inter;
    if (algorithm == Algorithm::nvls_tree && f.nodes > 2) inter /= 2;
    double each = std::min(t.nvls.intra, inter);
    if (gathers(collective) && f.version >= NcclVersion{2, 27, 0})
      each = t.nvls.intra * (f.gpus_per_node - 1.0) / f.gpus_per_node;
    return channels * each;
  }
  double intra = t.nvls.intra * t.top.nvls_efficiency * (channels - 1) / channels;
  // An all-reduce sends and receives at once.
  intra *= collective == Collective::all_reduce ? 2 : (f.gpus_per_node - 1.0) / f.gpus_per_node;
  if (algorithm == Algorithm::nvls) return channels * intra;
  const double inter = t.nvls.inter * (f.nodes <= 2 ? 2 : 1);
  return channels * std::min({intra, inter, t.top.nvls_tree});
}

double busbw(const Table& t, Collective collective, Algorithm algorithm, Protocol protocol) {
  if (algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree)
    return nvls_busbw(t, collective, algorithm);
  const int channels = t.ring.channels;
  double out = channels * (t.fabric.nodes <= 2 ? t.ring.intra : t.ring.inter);
  if (algorithm == Algorithm::ring) {
    if (protocol == Protocol::ll) return std::min(t.top.ll, out * t.top.ring_ll_fraction);
    if (protocol == Protocol::ll128) return std::min(out * 0.92, channels * t.top.ring_ll128);
    return out;
  }
  out = std::min(out * 0.92, channels * t.top.tree);
  if (protocol == Protocol::ll) return std::min(out / 3.8, t.top.ll);
  if (protocol == Protocol::ll128)
    return std::min(out * (t.fabric.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                    channels * t.top.tree_ll128);
  return out;
}

double algbw(const Table& t, Collective collective, Algorithm algorithm, Protocol protocol) {
  const double bus = busbw(t, collective, algorithm, protocol);
  const int ranks = t.fabric.ranks();
  const double of_a_ring = static_cast<double>(ranks) / steps(collective, ranks);
  switch (algorithm) {
    case Algorithm::ring: return bus * of_a_ring;
    case Algorithm::tree: return bus * 0.5;
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
      if (gathers(collective)) return bus;
      return bus * (t.fabric.version < NcclVersion{2, 28, 0} ? 5.0 / 6 : of_a_ring);
  }
  return bus;
}

// Posting to the network costs the CPU (getNetOverhead).
double network_overhead(const Fabric& fabric, Protocol protocol) {
  if (fabric.nodes == 1) return 0;
  return (fabric.amd_cpu ? 2.0 : 1.0) * (protocol == Protocol::simple ? 3 : 1);
}

void add_latency(const Table& t, Collective collective, Choice& out) {
  const Fabric& f = t.fabric;
  const Latency within = t.within(out.algorithm, out.protocol);
  const double between = t.between(out.algorithm, out.protocol).hop;
  double inside = within.base;
  switch (out.algorithm) {
    case Algorithm::ring: {
      const int all = steps(collective, f.ranks());
      if (only_rings(collective)) {  // a pipe: every rank passes the data on at once
        (f.nodes > 1 ? out.of_network_us : inside) += f.nodes > 1 ? between : within.hop;
        break;
      }
      const int crossing = collective == Collective::all_reduce ? 2 * (f.nodes - 1) : f.nodes - 1;
      inside += (all - crossing) * std::max(within.hop, network_overhead(f, out.protocol));
      out.of_network_us += crossing * between;
      break;
    }
    case Algorithm::tree:
      inside += 2 * (f.gpus_per_node - 1) * within.hop;
      out.of_network_us += 2 * log2_of(f.nodes) * between;
      break;
    case Algorithm::nvls: inside += within.hop; break;
    case Algorithm::nvls_tree:
      inside += within.hop;
      out.of_network_us += 2 * log2_of(f.nodes) * between;
      break;
  }
  out.latency_us = inside + out.of_network_us;
}

double nccl_time(const Table& t, Collective collective, const Choice& choice, double bytes) {
  double bandwidth = choice.algbw_gbps;
  double wait = choice.latency_us;
  if (choice.algorithm == Algorithm::tree) bandwidth *= tree_correction(choice.protocol, bytes);
  const bool long_ring = choice.algorithm == Algorithm::ring &&
                         choice.protocol == Protocol::simple && t.fabric.nodes > 1 &&
                         collective == Collective::all_reduce;
  if (long_ring && bytes / (ring_blocks(t.fabric) * t.fabric.ranks()) >= 64)
    wait *= t.fabric.compute_capability < 80 ? 1.9 : 1.4;  // "plateau effect of ring"
  return wait + bytes / (1000 * bandwidth);
}

}  // namespace

std::vector<Choice> choices(const Fabric& fabric, Collective collective, double bytes) {
  std::vector<Choice> out;
  const bool tuned = collective != Collective::all_to_all && collective != Collective::send_receive;
  if (fabric.ranks() < 2 || !tuned) return out;
  const Table table(fabric);
  for (const Algorithm algorithm : all_algorithms)
    for (const Protocol protocol : all_protocols) {
      if (!possible(table, collective, algorithm, protocol)) continue;
      Choice choice;
      choice.algorithm = algorithm;
      choice.protocol = protocol;
      choice.algbw_gbps = algbw(table, collective, algorithm, protocol);
      if (choice.algbw_gbps <= 0) continue;
      add_latency(table, collective, choice);
      choice.nccl_time_us = nccl_time(table, collective, choice, bytes);
      out.push_back(choice);
    }
  return out;
}

std::optional<Choice> choose(const Fabric& fabric, Collective collective, double bytes) {
  const auto all = choices(fabric, collective, bytes);
  const auto best = std::min_element(all.begin(), all.end(), [](const Choice& a, const Choice& b) {
    return a.nccl_time_us < b.nccl_time_us;
  });
  if (best == all.end()) return std::nullopt;
  return *best;
}

}  // namespace railgauge::model::nccl_cost
