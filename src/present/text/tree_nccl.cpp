// What the log of an NCCL job says: version, network, and the rings it made over this topology.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/paths.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::Machine;
using model::NcclRun;

constexpr std::size_t heading_columns = 10;
constexpr std::size_t shown_rings = 8;
constexpr std::size_t shown_ranks = 16;  // of one ring; longer ones show both ends
constexpr std::size_t ring_ranks_max = 1u << 16;

struct Ring {
  std::vector<int> ranks;
  bool closed = true;  // a log of one node of several has pieces of rings
  friend auto operator<=>(const Ring&, const Ring&) = default;
};

// By each rank's own line: follow who comes next, from the first that nobody precedes.
Ring followed(const std::map<int, int>& next) {
  std::set<int> preceded;
  for (const auto& step : next) preceded.insert(step.second);
  int at = next.begin()->first;
  for (const auto& step : next)
    if (!preceded.contains(step.first)) {
      at = step.first;
      break;
    }
  Ring out;
  std::set<int> seen;
  while (out.ranks.size() < ring_ranks_max && seen.insert(at).second) {
    out.ranks.push_back(at);
    const auto step = next.find(at);
    if (step == next.end()) {
      out.closed = false;
      break;
    }
    at = step->second;
  }
  return out;
}

// Each distinct ring with the channels that have it, in the order of channels.
std::vector<std::pair<Ring, std::size_t>> rings_of(const NcclRun& run) {
  std::vector<Ring> all;
  for (const auto& ranks : run.rings) all.push_back({ranks, true});
  if (all.empty()) {
    std::map<int, std::map<int, int>> channels;
    for (const auto& step : run.ring_steps) {
      auto& next = channels[step.channel];
      next.emplace(step.rank, step.next);
      next.emplace(step.previous, step.rank);
    }
    for (const auto& channel : channels) all.push_back(followed(channel.second));
  }
  std::vector<std::pair<Ring, std::size_t>> out;
  std::map<Ring, std::size_t> places;
  for (Ring& ring : all) {
    const auto [place, added] = places.try_emplace(ring, out.size());
    if (added)
      out.emplace_back(std::move(ring), 1);
    else
      ++out[place->second].second;
  }
  return out;
}

// What "P2P/CUMEM" and "NET/IB/3/GDRDMA" have in common with others of their kind.
std::string kind_of(std::string_view via) {
  if (via.starts_with("direct shared memory")) return "SHM";
  if (via.starts_with("NET/")) {
    const auto end = via.find('/', 4);
    const std::string network(via.substr(0, end));
    return via.find("GDRDMA") == std::string_view::npos ? network : network + " GDRDMA";
  }
  return std::string(via);
}

class Joints {
 public:
  Joints(const Machine& machine, const NcclRun& run) : machine_(machine) {
    for (const auto& way : run.connections) ways_.try_emplace({way.from, way.to}, kind_of(way.via));
    for (const DeviceId id : machine.of_kind(model::DeviceKind::gpu))
      if (machine[id].gpu->rank) gpus_.emplace(*machine[id].gpu->rank, id);
  }

  // "P2P/CUMEM over NV18"; empty where nothing is known of the two.
  std::string words(int from, int to) const {
    const auto way = ways_.find({from, to});
    std::string out = way == ways_.end() ? std::string() : clean(way->second);
    const auto a = gpus_.find(from);
    const auto b = gpus_.find(to);
    if (a == gpus_.end() || b == gpus_.end()) return out;
    const auto smi = model::smi_class(machine_, a->second, b->second);
    if (!smi) return out;
    const std::string link =
        smi->kind == model::SmiClass::nv ? fmt::format("NVLink ×{}", smi->nvlinks) : smi->text();
    return out.empty() ? link : out + " over " + link;
  }

 private:
  const Machine& machine_;
  std::map<std::pair<int, int>, std::string> ways_;
  std::map<int, DeviceId> gpus_;
};

std::string chain(const Ring& ring) {
  const auto& ranks = ring.ranks;
  std::string out;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks.size() > shown_ranks && i == shown_ranks / 2) {
      out += fmt::format(" → … ({} ranks)", ranks.size());
      i = ranks.size() - 2;
    }
    out += (out.empty() ? "" : " → ") + std::to_string(ranks[i]);
  }
  if (ring.closed && ranks.size() > 1) out += " → " + std::to_string(ranks.front());
  return out;
}

// The ring, how many channels have it, and how its neighbours are joined, most of them first.
std::vector<Span> ring_phrases(const Ring& ring, std::size_t channels, const Joints& joints) {
  std::vector<Span> out{{chain(ring)}};
  std::map<std::string, std::vector<std::string>> kinds;
  const auto& ranks = ring.ranks;
  const std::size_t steps = ranks.size() < 2 ? 0 : ranks.size() - (ring.closed ? 0 : 1);
  for (std::size_t i = 0; i < steps; ++i) {
    const int from = ranks[i];
    const int to = ranks[(i + 1) % ranks.size()];
    const std::string words = joints.words(from, to);
    if (!words.empty()) kinds[words].push_back(fmt::format("{} → {}", from, to));
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(kinds.begin(), kinds.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  constexpr std::size_t named_pairs = 4;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [words, pairs] = sorted[i];
    if (i == 0)
      out.push_back({"(" + words + ")"});
    else if (pairs.size() <= named_pairs)
      out.push_back({fmt::format("{} {}", fmt::join(pairs, ", "), words), Ink::yellow});
    else
      out.push_back({fmt::format("{} pairs {}", pairs.size(), words), Ink::yellow});
  }
  if (channels > 1) out.push_back({fmt::format("{} channels", channels)});
  return out;
}

std::vector<Span> run_phrases(const NcclRun& run) {
  std::vector<Span> out;
  if (run.version) out.push_back({"version " + clean(*run.version)});
  if (run.network) out.push_back({"network " + clean(*run.network)});
  std::set<std::string> hosts;
  std::size_t numbered = 0;
  for (const auto& rank : run.ranks) {
    if (!rank.host.empty()) hosts.insert(rank.host);
    if (rank.rank) ++numbered;
  }
  if (numbered > 0)
    out.push_back(
        {plural(numbered, "rank", "ranks") + " on " + plural(hosts.size(), "host", "hosts")});
  if (run.channels) out.push_back({fmt::format("{} channels", *run.channels)});
  std::size_t warnings = 0;
  for (const auto& line : run.warnings)
    if (!line.information) ++warnings;
  if (warnings > 0) out.push_back({plural(warnings, "warning", "warnings"), Ink::yellow});
  return out;
}

}  // namespace

void write_nccl(TreeContext& tree) {
  const Line indent{{std::string(heading_columns, ' ')}};
  for (const NcclRun& run : tree.machine.nccl_runs) {
    const auto phrases = run_phrases(run);
    if (!phrases.empty())
      tree.page.flow({{padded("NCCL", heading_columns), Ink::bold}}, indent, phrases);
    const Joints joints(tree.machine, run);
    std::size_t shown = 0;
    const auto rings = rings_of(run);
    for (const auto& [ring, channels] : rings) {
      if (shown++ == shown_rings) {
        tree.page.add({{std::string(heading_columns, ' ')},
                       {fmt::format("… {} more rings", rings.size() - shown_rings), Ink::dim}});
        break;
      }
      tree.page.flow({{padded(shown == 1 ? "Rings" : "", heading_columns), Ink::bold}}, indent,
                     ring_phrases(ring, channels, joints));
    }
  }
}

}  // namespace railgauge::present
