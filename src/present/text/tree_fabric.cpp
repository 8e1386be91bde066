// What is beside the tree: NVLink domains, the nearest NICs of each GPU, the links between sockets.
#include <fmt/format.h>

#include <map>
#include <set>

#include "model/groups.h"
#include "present/pair_tables.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Link;

// More NICs at the same distance than this are written as a range.
constexpr std::size_t listed_nics = 4;
// More pairs with the same link than this are one phrase.
constexpr std::size_t listed_pairs = 6;
// A section's heading, and the indent of its continuation lines.
constexpr std::size_t heading_columns = 10;
constexpr std::size_t pair_columns = 12;  // "P2P atomics"

Line heading(std::string_view word) {
  return {{padded(std::string(word), heading_columns), Ink::bold}};
}
Line indent() { return {{std::string(heading_columns, ' ')}}; }

bool inside(const model::NvLinkDomain& domain, DeviceId id) {
  for (DeviceId gpu : domain.gpus)
    if (gpu == id) return true;
  return false;
}

void add_bonds(TreeContext& tree, const model::NvLinkDomain& domain, std::vector<Span>& out) {
  std::vector<Span> bonds;
  std::string common;
  bool uniform = true;
  for (std::size_t i : tree.net.direct) {
    const Link& link = tree.machine.links[i];
    if (!inside(domain, link.a)) continue;
    const EdgeWords words = edge_words(link);
    const Span edge = edge_span(words, tree.notes);
    if (common.empty()) common = edge.text;
    uniform = uniform && common == edge.text && edge.ink != Ink::red;
    bonds.push_back(
        {id_of(tree.machine, link.a) + "-" + id_of(tree.machine, link.b) + " " + edge.text,
         edge.ink == Ink::cyan ? Ink::plain : edge.ink});
  }
  if (uniform && bonds.size() > 1)
    out.push_back({fmt::format("{} bonds of {}", bonds.size(), common)});
  else
    out.insert(out.end(), bonds.begin(), bonds.end());
}

void add_switch_bonds(TreeContext& tree, const model::NvLinkDomain& domain,
                      std::vector<Span>& out) {
  out.push_back({"through " + switches_words(tree.machine, tree.net)});
  // What most have is said once; the others are named.
  std::map<std::string, std::size_t> counts;
  std::string usual;
  for (DeviceId gpu : domain.gpus) {
    const auto bond = tree.net.to_switch.find(gpu.value);
    if (bond == tree.net.to_switch.end()) continue;
    const std::string words = bond->second.words().text();
    if (++counts[words] > (usual.empty() ? 0 : counts[usual])) usual = words;
  }
  bool said = false;
  for (DeviceId gpu : domain.gpus) {
    const auto bond = tree.net.to_switch.find(gpu.value);
    if (bond == tree.net.to_switch.end()) continue;
    const bool is_usual = bond->second.words().text() == usual;
    if (is_usual && said) continue;
    const Span edge = edge_span(bond->second.words(), tree.notes);
    out.push_back({is_usual ? edge.text + (counts.size() > 1 ? " most" : " each")
                            : id_of(tree.machine, gpu) + " " + edge.text,
                   edge.ink == Ink::cyan ? Ink::plain : edge.ink});
    said = said || is_usual;
  }
}

Span rail(const TreeContext& tree, DeviceId gpu) {
  const auto all = model::nics_by_distance(tree.machine, gpu);
  std::vector<DeviceId> nearest;
  for (const auto& nic : all)
    if (nic.distance == all.front().distance) nearest.push_back(nic.nic);
  std::string out = id_of(tree.machine, gpu) + " → ";
  if (nearest.empty()) return {out + "?", Ink::dim};
  if (nearest.size() > listed_nics) {
    out += range_words(tree.machine, nearest) + fmt::format(" ({})", nearest.size());
  } else {
    for (std::size_t i = 0; i < nearest.size(); ++i)
      out += (i > 0 ? ", " : "") + id_of(tree.machine, nearest[i]);
  }
  return {out + " " + all.front().distance.text()};
}

struct SocketGroup {
  Span edge;
  std::vector<std::size_t> links;
};

// A few pairs one by one; many that are the same in one phrase.
void add_sockets(const TreeContext& tree, const SocketGroup& group, std::vector<Span>& out) {
  if (group.links.size() <= listed_pairs) {
    for (std::size_t i : group.links) {
      const Link& link = tree.machine.links[i];
      out.push_back({id_of(tree.machine, link.a) + " ↔ " + id_of(tree.machine, link.b) + " " +
                         group.edge.text,
                     group.edge.ink});
    }
    return;
  }
  std::set<DeviceId> ends;
  bool nodes = false;
  for (std::size_t i : group.links) {
    const Link& link = tree.machine.links[i];
    ends.insert({link.a, link.b});
    nodes = nodes || tree.machine[link.a].kind == DeviceKind::numa_node;
  }
  const bool every = group.links.size() == ends.size() * (ends.size() - 1) / 2;
  const std::string count = every ? "every pair" : fmt::format("{} pairs", group.links.size());
  const std::string of =
      plural(ends.size(), nodes ? "NUMA node" : "CPU", nodes ? "NUMA nodes" : "CPUs");
  out.push_back({count + " of " + of + ": " + group.edge.text, group.edge.ink});
}

}  // namespace

void write_nvlink(TreeContext& tree) {
  const auto domains = model::nvlink_domains(tree.machine);
  if (domains.empty()) {
    if (tree.machine.nvlink_hidden)
      tree.page.flow(heading("NVLink"), indent(), {{"hidden by topo -mp", Ink::dim}});
    return;
  }
  for (const auto& domain : domains) {
    std::vector<Span> parts;
    parts.push_back({range_words(tree.machine, domain.gpus) +
                     (domain.all_to_all ? ", all to all" : ", not all to all")});
    if (domain.switched)
      add_switch_bonds(tree, domain, parts);
    else
      add_bonds(tree, domain, parts);
    const bool xgmi = !domain.switched && !tree.net.direct.empty() &&
                      tree.machine.links[tree.net.direct.front()].kind == model::LinkKind::xgmi;
    tree.page.flow(heading(xgmi ? "xGMI" : "NVLink"), indent(), parts);
  }
}

void write_p2p(TreeContext& tree) {
  for (const PairTable& table : pair_tables(tree.machine)) {
    std::vector<Span> parts;
    const auto groups = groups_of(table);
    for (const PairGroup& group : groups) {
      const std::string meaning = status_meaning(group.cell);
      const Ink ink = meaning.empty() ? Ink::plain : Ink::yellow;
      const std::string words = group.cell + (meaning.empty() ? "" : " (" + meaning + ")");
      std::string pairs;
      if (groups.size() == 1 && group.pairs.size() > 1) {
        pairs = fmt::format("all {} pairs ", group.pairs.size());
      } else if (group.pairs.size() > listed_pairs) {
        pairs = fmt::format("{} pairs ", group.pairs.size());
      } else {
        for (const auto& [a, b] : group.pairs)
          pairs += id_of(tree.machine, a) + "-" + id_of(tree.machine, b) + " ";
      }
      parts.push_back({pairs + words, ink});
    }
    tree.page.flow({{padded(table.name, pair_columns), Ink::bold}},
                   {{std::string(pair_columns, ' ')}}, parts);
  }
}

void write_rails(TreeContext& tree) {
  if (tree.machine.of_kind(DeviceKind::nic).empty()) return;
  std::vector<Span> parts;
  std::size_t widest = 0;
  for (DeviceId gpu : endpoints(tree.machine, DeviceKind::gpu)) {
    parts.push_back(rail(tree, gpu));
    widest = std::max(widest, display_width(parts.back().text));
  }
  if (parts.empty()) return;
  for (Span& part : parts) part.text = padded(std::move(part.text), widest);
  tree.page.flow(heading("Rails"), indent(), parts);
}

void write_sockets(TreeContext& tree) {
  std::vector<SocketGroup> groups;
  for (std::size_t i : tree.net.sockets) {
    const EdgeWords words = edge_words(tree.machine.links[i]);
    Span edge = edge_span(words, tree.notes);
    if (edge.ink == Ink::cyan) edge.ink = Ink::plain;
    if (words.inferred && !words.rate.empty()) {
      edge.text += '~';
      tree.any_inferred = true;
    }
    auto at = groups.begin();
    while (at != groups.end() && at->edge.text != edge.text) ++at;
    if (at == groups.end()) at = groups.insert(at, SocketGroup{std::move(edge), {}});
    at->links.push_back(i);
  }
  std::vector<Span> parts;
  for (const SocketGroup& group : groups) add_sockets(tree, group, parts);
  if (!parts.empty()) tree.page.flow(heading("Sockets"), indent(), parts);
}

}  // namespace railgauge::present
