#include "model/max_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "model/arcs.h"
#include "model/paths.h"

namespace railgauge::model {

void FlowNetwork::add(std::size_t from, std::size_t to, std::int64_t capacity) {
  out_[from].push_back(edges_.size());
  edges_.push_back({to, capacity});
  out_[to].push_back(edges_.size());
  edges_.push_back({from, 0});
}

// Distances from the source over what is left; false when the sink is out of reach.
bool FlowNetwork::label(std::size_t source, std::size_t sink) {
  level_.assign(out_.size(), -1);
  level_[source] = 0;
  std::vector<std::size_t> queue{source};
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (const std::size_t e : out_[queue[head]])
      if (edges_[e].left > 0 && level_[edges_[e].to] < 0) {
        level_[edges_[e].to] = level_[queue[head]] + 1;
        queue.push_back(edges_[e].to);
      }
  return level_[sink] >= 0;
}

// One augmenting path along the levels, walked without recursion; 0 when there is none left.
std::int64_t FlowNetwork::push(std::size_t source, std::size_t sink) {
  std::vector<std::size_t> way;
  std::size_t at = source;
  while (at != sink) {
    bool stuck = true;
    for (std::size_t& i = next_[at]; i < out_[at].size(); ++i) {
      const Edge& edge = edges_[out_[at][i]];
      if (edge.left <= 0 || level_[edge.to] != level_[at] + 1) continue;
      way.push_back(out_[at][i]);
      at = edge.to;
      stuck = false;
      break;
    }
    if (!stuck) continue;
    if (way.empty()) return 0;
    at = edges_[way.back() ^ 1].to;
    way.pop_back();
    ++next_[at];
  }
  std::int64_t amount = std::numeric_limits<std::int64_t>::max();
  for (const std::size_t e : way) amount = std::min(amount, edges_[e].left);
  for (const std::size_t e : way) {
    edges_[e].left -= amount;
    edges_[e ^ 1].left += amount;
  }
  return amount;
}

std::int64_t FlowNetwork::max_flow(std::size_t source, std::size_t sink) {
  std::int64_t total = 0;
  if (source == sink) return total;
  while (label(source, sink)) {
    next_.assign(out_.size(), 0);
    while (const std::int64_t amount = push(source, sink)) total += amount;
  }
  return total;
}

namespace {

// Stands for no limit: far above any machine (4.5 PB/s), and a thousand of them still fit.
constexpr std::int64_t unlimited = std::int64_t{1} << 52;

struct Ends {
  std::set<DeviceId> from;
  std::set<DeviceId> to;
};

std::int64_t flow(const Machine& machine, const Arcs& arcs, const Ends& ends, RateKind rates,
                  std::int64_t capacity_of_unknown) {
  const std::size_t source = arcs.node_count();
  const std::size_t sink = source + 1;
  FlowNetwork network(sink + 1);
  for (std::size_t at = 0; at < arcs.node_count(); ++at)
    for (const Arc& arc : arcs.from(at)) {
      const Link& link = machine.links[arc.link];
      const auto& rate = rates == RateKind::as_found ? link.as_found : link.nominal;
      std::int64_t capacity = capacity_of_unknown;
      if (link.kind == LinkKind::internal)
        capacity = unlimited;
      else if (rate)
        capacity = std::clamp<std::int64_t>(std::llround(rate->value), 0, unlimited);
      network.add(at, arc.to, capacity);
    }
  for (const DeviceId id : ends.from) network.add(source, Arcs::node(id), unlimited);
  for (const DeviceId id : ends.to) network.add(Arcs::node(id), sink, unlimited);
  return network.max_flow(source, sink);
}

}  // namespace

Reading<BytesPerSecond> max_flow(const Machine& machine, const std::vector<DeviceId>& from,
                                 const std::vector<DeviceId>& to, RateKind rates) {
  using Rate = Reading<BytesPerSecond>;
  const Ends ends{{from.begin(), from.end()}, {to.begin(), to.end()}};
  for (const DeviceId id : ends.from)
    if (ends.to.contains(id)) return Rate::not_reported(machine[id].id + " is on both sides");
  std::set<DeviceId> whole = ends.from;
  whole.insert(ends.to.begin(), ends.to.end());
  const Arcs arcs(machine, whole);
  const std::int64_t least = flow(machine, arcs, ends, rates, 0);
  if (least >= unlimited) return Rate::not_reported("only links inside one chip lie between");
  if (flow(machine, arcs, ends, rates, unlimited) != least)
    return Rate::not_reported("links of unknown rate could carry some of the flow");
  return BytesPerSecond{static_cast<double>(least)};
}

}  // namespace railgauge::model
