// Widest-shortest paths within the physical rules: over NVLink, xGMI or C2C alone where both ends
// share it, else over PCIe and between CPUs. Endpoints never relay.
#include "model/route_finder.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

namespace railgauge::model {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

bool is_fast(LinkKind kind) {
  return kind == LinkKind::nvlink || kind == LinkKind::xgmi || kind == LinkKind::c2c;
}

bool is_cpu(DeviceKind kind) {
  return kind == DeviceKind::package || kind == DeviceKind::numa_node;
}

// Bytes per second as found; what is not modelled limits nothing, what is unknown counts least.
double width_of(const Link& link) {
  if (link.kind == LinkKind::internal) return unlimited;
  return link.as_found ? link.as_found->value : 0;
}

Reading<BytesPerSecond> narrowest(const Machine& machine, const std::vector<Hop>& hops,
                                  Reading<BytesPerSecond> Link::*rate,
                                  std::optional<std::size_t>* where) {
  std::optional<std::size_t> low;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const Link& link = machine.links[hops[i].link];
    if (link.kind == LinkKind::internal) continue;
    if (!(link.*rate))
      return Reading<BytesPerSecond>::not_reported(
          machine[hops[i].from].id + " to " + machine[hops[i].to].id + ": " + (link.*rate).why());
    if (!low || (link.*rate)->value < (machine.links[hops[*low].link].*rate)->value) low = i;
  }
  if (!low) return Reading<BytesPerSecond>::not_reported("every hop is inside one chip");
  if (where) *where = low;
  return machine.links[hops[*low].link].*rate;
}

void add_rate(Reading<BytesPerSecond>& sum, const Reading<BytesPerSecond>& rate) {
  if (sum && rate)
    sum = BytesPerSecond{sum->value + rate->value};
  else if (sum)
    sum = rate;
}

}  // namespace

RouteFinder::RouteFinder(const Machine& machine)
    : machine_(machine), arcs_(machine, {}), has_fast_(machine.devices.size()) {
  for (const Link& link : machine.links)
    if (is_fast(link.kind)) has_fast_[link.a.value] = has_fast_[link.b.value] = true;
}

bool RouteFinder::may_use(const Link& link, bool fast) const {
  if (link.width && *link.width <= 0) return false;  // down
  if (fast) return is_fast(link.kind);
  if (link.kind != LinkKind::nvlink && link.kind != LinkKind::xgmi) return true;
  return is_cpu(machine_[link.a].kind) || is_cpu(machine_[link.b].kind);
}

bool RouteFinder::may_relay(DeviceId id, bool fast) const {
  const DeviceKind kind = machine_[id].kind;
  if (fast) return kind == DeviceKind::nvswitch;
  return is_cpu(kind) || is_pcie_bridge(kind) || kind == DeviceKind::host_bridge;
}

// Dijkstra by width, or, when a width is asked for, by hops over links at least that wide. Widest
// first and then fewest hops is not one order a single pass can follow: a prefix wider than the
// whole path needs may be longer than one just wide enough.
RouteFinder::Reached RouteFinder::search(const Arcs& arcs, std::size_t start, bool fast,
                                         double at_least) const {
  Reached best(arcs.node_count());
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
    for (const Arc& arc : arcs.from(at)) {
      const Link& link = machine_.links[arc.link];
      if (best[arc.to].done || !may_use(link, fast) || width_of(link) < at_least) continue;
      const Best next{std::min(best[at].width, width_of(link)), best[at].hops + 1, at, arc.link,
                      false};
      Best& old = best[arc.to];
      const bool wider = !by_hops && next.width > old.width;
      const bool shorter = (by_hops || next.width == old.width) && next.hops < old.hops;
      if (old.width >= 0 && !wider && !shorter) continue;
      old = next;
      if (may_relay(arcs.device(arc.to), fast)) push(arc.to);  // the way ends at the others
    }
  }
  return best;
}

const RouteFinder::Reached& RouteFinder::reached(std::size_t start, bool fast,
                                                 double at_least) const {
  if (start_ != start) searches_.clear();
  start_ = start;
  const auto [found, missing] = searches_.try_emplace({fast, at_least});
  if (missing) found->second = search(arcs_, start, fast, at_least);
  return found->second;
}

std::vector<Hop> RouteFinder::hops(const Reached& from_a, const Arcs& arcs, DeviceId a,
                                   DeviceId b) const {
  std::vector<Hop> out;
  for (std::size_t at = Arcs::node(b); at != Arcs::node(a); at = from_a[at].before)
    out.push_back({from_a[at].link, arcs.device(from_a[at].before), arcs.device(at)});
  std::reverse(out.begin(), out.end());
  return out;
}

// Empty when there is none. A package that is an end has arcs of its own.
std::vector<Hop> RouteFinder::route(DeviceId a, DeviceId b, bool fast) const {
  if (machine_[a].kind == DeviceKind::package || machine_[b].kind == DeviceKind::package) {
    const Arcs arcs(machine_, {a, b});
    const double width = search(arcs, Arcs::node(a), fast, -1)[Arcs::node(b)].width;
    if (width < 0) return {};
    return hops(search(arcs, Arcs::node(a), fast, width), arcs, a, b);
  }
  const double width = reached(Arcs::node(a), fast, -1)[Arcs::node(b)].width;
  if (width < 0) return {};
  return hops(reached(Arcs::node(a), fast, width), arcs_, a, b);
}

// A GPU stripes its NVLinks over all switch chips, and data to a peer uses all of them: routes
// over each further chip that both ends are on.
void RouteFinder::add_parallel(Path& path, DeviceId a, DeviceId b) const {
  if (path.hops.size() != 2 || machine_[path.hops[0].to].kind != DeviceKind::nvswitch) return;
  const DeviceId first = path.hops[0].to;
  for (const Arc& in : arcs_.from(Arcs::node(a))) {
    const DeviceId chip = arcs_.device(in.to);
    if (chip == first || machine_[chip].kind != DeviceKind::nvswitch) continue;
    if (!may_use(machine_.links[in.link], true)) continue;
    for (const Arc& out : arcs_.from(in.to)) {
      if (arcs_.device(out.to) != b || !may_use(machine_.links[out.link], true)) continue;
      path.parallel.push_back({{in.link, a, chip}, {out.link, chip, b}});
      break;
    }
  }
}

void RouteFinder::rate(Path& path) const {
  path.as_found = narrowest(machine_, path.hops, &Link::as_found, &path.bottleneck);
  path.nominal = narrowest(machine_, path.hops, &Link::nominal, nullptr);
  for (const auto& more : path.parallel) {
    add_rate(path.as_found, narrowest(machine_, more, &Link::as_found, nullptr));
    add_rate(path.nominal, narrowest(machine_, more, &Link::nominal, nullptr));
  }
  if (path.parallel.empty()) return;
  auto routes = path.parallel;
  routes.push_back(path.hops);
  int links = 0;
  for (const auto& hops_of : routes) {
    const auto& in = machine_.links[hops_of.front().link].width;
    const auto& out = machine_.links[hops_of.back().link].width;
    if (!in || !out) return;
    links += std::min(*in, *out);
  }
  path.nvlinks = links;
}

Result<Path> RouteFinder::best_path(DeviceId a, DeviceId b) const {
  if (a == b) return fail(ErrorKind::usage, "a path needs two different devices");
  for (const bool fast : {true, false}) {
    if (fast && (!has_fast_[a.value] || !has_fast_[b.value])) continue;
    Path path;
    path.hops = route(a, b, fast);
    if (path.hops.empty()) continue;
    if (fast) add_parallel(path, a, b);
    rate(path);
    return path;
  }
  return fail(ErrorKind::not_found, "no known links connect " + machine_[a].id + " with " +
                                        machine_[b].id +
                                        "; add a source that shows the PCIe tree, such as lspci "
                                        "or an NCCL topology file");
}

}  // namespace railgauge::model
