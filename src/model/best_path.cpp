// Widest-shortest paths within the physical rules: over NVLink, xGMI or C2C alone where both ends
// share it, else over PCIe and between CPUs. Endpoints never relay.
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "model/arcs.h"
#include "model/paths.h"

namespace railgauge::model {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

bool is_fast(LinkKind kind) {
  return kind == LinkKind::nvlink || kind == LinkKind::xgmi || kind == LinkKind::c2c;
}

bool is_cpu(DeviceKind kind) {
  return kind == DeviceKind::package || kind == DeviceKind::numa_node;
}

// Which links and relays a search may use.
struct Rules {
  const Machine& machine;
  bool fast = false;

  bool may_use(const Link& link) const {
    if (link.width && *link.width <= 0) return false;  // down
    if (fast) return is_fast(link.kind);
    if (link.kind != LinkKind::nvlink && link.kind != LinkKind::xgmi) return true;
    return is_cpu(machine[link.a].kind) || is_cpu(machine[link.b].kind);
  }
  bool may_relay(DeviceId id) const {
    const DeviceKind kind = machine[id].kind;
    if (fast) return kind == DeviceKind::nvswitch;
    return is_cpu(kind) || is_pcie_bridge(kind) || kind == DeviceKind::host_bridge;
  }
};

// Bytes per second as found; what is not modelled limits nothing, what is unknown counts least.
double width_of(const Link& link) {
  if (link.kind == LinkKind::internal) return unlimited;
  return link.as_found ? link.as_found->value : 0;
}

struct Best {
  double width = -1;
  int hops = 0;
  std::size_t before = 0;  // node
  std::size_t link = 0;
  bool done = false;
};

// Dijkstra by width, or, when a width is asked for, by hops over links at least that wide. Widest
// first and then fewest hops is not one order a single pass can follow: a prefix wider than the
// whole path needs may be longer than one just wide enough.
std::vector<Best> search(const Rules& rules, const Arcs& arcs, std::size_t start, double at_least) {
  std::vector<Best> best(arcs.node_count());
  best[start] = {unlimited, 0, start, 0, false};
  using Item = std::tuple<double, int, std::size_t>;  // -width, hops, node: smallest first
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const bool by_hops = at_least >= 0;
  const auto push = [&](std::size_t node) {
    queue.emplace(by_hops ? 0 : -best[node].width, best[node].hops, node);
  };
  push(start);
  while (!queue.empty()) {
    const std::size_t at = std::get<2>(queue.top());
    queue.pop();
    if (best[at].done) continue;
    best[at].done = true;
    if (at != start && !rules.may_relay(arcs.device(at))) continue;
    for (const Arc& arc : arcs.from(at)) {
      const Link& link = rules.machine.links[arc.link];
      if (!rules.may_use(link) || best[arc.to].done || width_of(link) < at_least) continue;
      const Best next{std::min(best[at].width, width_of(link)), best[at].hops + 1, at, arc.link,
                      false};
      Best& old = best[arc.to];
      const bool wider = !by_hops && next.width > old.width;
      const bool shorter = (by_hops || next.width == old.width) && next.hops < old.hops;
      if (old.width >= 0 && !wider && !shorter) continue;
      old = next;
      push(arc.to);
    }
  }
  return best;
}

Reading<BytesPerSecond> narrowest(const Machine& machine, const Path& path,
                                  Reading<BytesPerSecond> Link::*rate,
                                  std::optional<std::size_t>* where) {
  std::optional<std::size_t> low;
  for (std::size_t i = 0; i < path.hops.size(); ++i) {
    const Link& link = machine.links[path.hops[i].link];
    if (link.kind == LinkKind::internal) continue;
    if (!(link.*rate))
      return Reading<BytesPerSecond>::not_reported(machine[path.hops[i].from].id + " to " +
                                                   machine[path.hops[i].to].id + ": " +
                                                   (link.*rate).why());
    if (!low || (link.*rate)->value < (machine.links[path.hops[*low].link].*rate)->value) low = i;
  }
  if (!low) return Reading<BytesPerSecond>::not_reported("every hop is inside one chip");
  if (where) *where = low;
  return machine.links[path.hops[*low].link].*rate;
}

std::optional<Path> best_by(const Rules& rules, const Arcs& arcs, DeviceId a, DeviceId b) {
  const double width = search(rules, arcs, Arcs::node(a), -1)[Arcs::node(b)].width;
  if (width < 0) return std::nullopt;
  const auto best = search(rules, arcs, Arcs::node(a), width);
  Path path;
  for (std::size_t at = Arcs::node(b); at != Arcs::node(a); at = best[at].before)
    path.hops.push_back({best[at].link, arcs.device(best[at].before), arcs.device(at)});
  std::reverse(path.hops.begin(), path.hops.end());
  path.as_found = narrowest(rules.machine, path, &Link::as_found, &path.bottleneck);
  path.nominal = narrowest(rules.machine, path, &Link::nominal, nullptr);
  return path;
}

}  // namespace

Result<Path> best_path(const Machine& machine, DeviceId a, DeviceId b) {
  if (a == b) return fail(ErrorKind::usage, "a path needs two different devices");
  const Arcs arcs(machine, {a, b});
  for (const bool fast : {true, false})
    if (auto path = best_by({machine, fast}, arcs, a, b)) return *std::move(path);
  return fail(ErrorKind::not_found, "no known links connect " + machine[a].id + " with " +
                                        machine[b].id +
                                        "; add a source that shows the PCIe tree, such as lspci "
                                        "or an NCCL topology file");
}

}  // namespace railgauge::model
