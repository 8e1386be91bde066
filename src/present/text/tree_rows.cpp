#include <fmt/format.h>

#include <algorithm>

#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;

// A reason longer than this becomes a footnote.
constexpr std::size_t inline_reason = 24;
// The rate column of ordinary links: "x16 Gen4 31.5 GB/s"; longer ones push their row to the right.
constexpr std::size_t edge_columns = 19;
constexpr std::size_t label_columns_limit = 44;

struct Row {
  const OutlineNode* node;
  std::string branch;  // "│  ├─ "
  std::string rest;    // what continuation lines start with
  std::string label;
};

void collect(TreeContext& tree, const Outline& outline, std::size_t index,
             const std::string& branch, const std::string& rest, std::vector<Row>& rows) {
  const OutlineNode& node = outline.nodes[index];
  std::string label =
      node.alike.empty() ? id_of(tree.machine, node.device) : range_words(tree.machine, node.alike);
  if (is_inferred(tree.machine[node.device])) {
    label += '~';
    tree.any_inferred = true;
  }
  const bool has_children = !node.children.empty();
  rows.push_back({&node, branch, rest + (has_children ? "│" : ""), std::move(label)});
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const bool last = i + 1 == node.children.size();
    collect(tree, outline, node.children[i], rest + (last ? "└─ " : "├─ "),
            rest + (last ? "   " : "│  "), rows);
  }
}

std::string gpu_links_words(const TreeContext& tree, DeviceId id, Ink& ink) {
  if (const auto bond = tree.net.to_switch.find(id.value); bond != tree.net.to_switch.end()) {
    const EdgeWords words = bond->second.words();
    if (words.health == Health::degraded) ink = Ink::red;
    return (words.rate.empty() ? words.shape : words.text()) + " → NVSwitch";
  }
  std::size_t peers = 0;
  std::string kind;
  for (std::size_t i : tree.net.direct) {
    const model::Link& link = tree.machine.links[i];
    if (link.a != id && link.b != id) continue;
    ++peers;
    kind = link.kind == model::LinkKind::xgmi ? "xGMI" : "NVLink";
    if (edge_words(link).health == Health::degraded) ink = Ink::red;
  }
  if (peers > 0) return kind + " → " + plural(peers, "GPU", "GPUs");
  const std::string lost = lost_nvlinks(tree.machine, id);
  if (!lost.empty()) ink = Ink::red;
  return lost;
}

void add_gpu(const TreeContext& tree, DeviceId id, std::vector<Span>& out) {
  Ink ink = Ink::plain;
  std::string links = gpu_links_words(tree, id, ink);
  if (!links.empty()) out.push_back({std::move(links), ink});
  for (std::size_t i : tree.net.to_cpu) {
    const model::Link& link = tree.machine.links[i];
    if (link.a != id && link.b != id) continue;
    const EdgeWords words = edge_words(link);
    out.push_back({(words.rate.empty() ? words.shape : words.text()) + " → " +
                       id_of(tree.machine, link.a == id ? link.b : link.a),
                   words.health == Health::degraded ? Ink::red : Ink::plain});
  }
}

void add_nic(const Device& device, const std::string& label, std::vector<Span>& out) {
  const auto& nic = *device.nic;
  const auto add = [&](const model::Fact<std::string>& name) {
    if (!name || clean(*name) == label) return;
    const std::string word = clean(*name);
    if (std::none_of(out.begin(), out.end(), [&](const Span& s) { return s.text == word; }))
      out.push_back({word});
  };
  add(nic.rdma_device);
  add(nic.netdev);
  for (const auto& port : nic.ports) {
    add(port.netdev);
    const std::string words = port_words(port);
    const bool down = port.state && *port.state == "DOWN";
    if (!words.empty())
      out.push_back({nic.ports.size() > 1 ? fmt::format("port {} {}", port.number, words) : words,
                     down ? Ink::yellow : Ink::plain});
  }
}

void add_cpu(const Device& device, std::vector<Span>& out) {
  if (device.kind == DeviceKind::numa_node && device.cpu->cpus)
    out.push_back({"cpus " + clean(*device.cpu->cpus)});
  if (device.cpu->core_count) out.push_back({fmt::format("{} cores", *device.cpu->core_count)});
  if (device.cpu->memory_bytes) out.push_back({text_of_bytes(*device.cpu->memory_bytes)});
}

std::vector<Span> phrases(const TreeContext& tree, const Row& row) {
  const Device& device = tree.machine[row.node->device];
  std::vector<Span> out;
  if (!row.node->alike.empty()) {
    const bool virtual_ones = device.pci && device.pci->physical_function;
    out.push_back({fmt::format("({} {})", row.node->alike.size(),
                               virtual_ones ? "virtual functions" : "alike")});
  }
  if (std::string name = short_name(device); !name.empty()) out.push_back({std::move(name)});
  if (row.node->alike.empty() && device.address) out.push_back({address_of(device), Ink::dim});
  if (device.gpu) add_gpu(tree, row.node->device, out);
  if (device.nic && row.node->alike.empty()) add_nic(device, row.label, out);
  if (device.nic && !row.node->alike.empty() && device.nic->ports.size() == 1)
    if (const std::string words = port_words(device.nic->ports.front()); !words.empty())
      out.push_back({words + " each", words.starts_with("DOWN") ? Ink::yellow : Ink::plain});
  if (device.cpu) add_cpu(device, out);
  if (tree.page.style().verbose) {
    out.push_back({"seen in " + clean(tree.machine.sources.text(device.seen_in)), Ink::dim});
    if (device.parent && device.parent_source.index != 0)
      out.push_back(
          {"placed by " + clean(tree.machine.sources.text(device.parent_source)), Ink::dim});
  }
  return out;
}

// Why no edge has a rate, when nothing is known of any edge and the reason is one and the same.
std::string common_reason(const TreeContext& tree, const std::vector<Row>& rows) {
  std::string out;
  std::size_t edges = 0;
  for (const Row& row : rows) {
    if (!row.node->edge) continue;
    const EdgeWords words = edge_words(tree.machine.links[*row.node->edge]);
    if (words.why.empty() && words.text().empty()) continue;
    if (words.why.empty() || !words.shape.empty() || (edges > 0 && words.why != out)) return "";
    out = words.why;
    ++edges;
  }
  return edges > 1 ? out : "";
}

void write_row(TreeContext& tree, const Row& row, std::size_t label_columns) {
  const std::size_t indent = display_width(row.branch);
  const std::size_t room = label_columns > indent ? label_columns - indent : 0;
  const bool endpoint = tree.machine[row.node->device].gpu || tree.machine[row.node->device].nic;
  Line first{{row.branch, Ink::dim},
             {padded(row.label, room) + "  ", endpoint ? Ink::bold : Ink::plain}};
  Line rest{{padded(row.rest, label_columns + 2), Ink::dim}};
  const std::size_t edge_room = tree.common_why.empty() ? edge_columns : 0;
  if (row.node->edge && tree.common_why.empty()) {
    const EdgeWords words = edge_words(tree.machine.links[*row.node->edge]);
    Span edge = edge_span(words, tree.notes);
    if (words.inferred && !words.rate.empty()) {
      edge.text += '~';
      tree.any_inferred = true;
    }
    edge.text = padded(std::move(edge.text), edge_columns);
    if (display_width(edge.text) > edge_columns) edge.text += ' ';
    first.push_back(std::move(edge));
    first.push_back({" "});
  } else if (edge_room > 0) {
    first.push_back({std::string(edge_room + 1, ' ')});
  }
  if (edge_room > 0) rest.push_back({std::string(edge_room + 1, ' ')});
  tree.page.flow(first, rest, phrases(tree, row));
}

}  // namespace

Span edge_span(const EdgeWords& edge, Footnotes& notes) {
  if (edge.health == Health::degraded) return {edge.text(), Ink::red};
  if (edge.health == Health::good || edge.why.empty()) return {edge.text(), Ink::cyan};
  if (display_width(edge.why) <= inline_reason) return {edge.text(), Ink::dim};
  const std::string shape = edge.shape.empty() ? "" : edge.shape + ", ";
  return {shape + "rate unknown " + notes.mark(edge.why), Ink::dim};
}

void write_rows(TreeContext& tree, const Outline& outline) {
  std::vector<Row> rows;
  for (std::size_t root : outline.roots) collect(tree, outline, root, "", "", rows);
  std::size_t widest = 0;
  for (const Row& row : rows)
    widest = std::max(widest, display_width(row.branch) + display_width(row.label));
  widest = std::min(widest, label_columns_limit);
  tree.common_why = common_reason(tree, rows);
  for (const Row& row : rows) write_row(tree, row, widest);
  if (rows.empty()) tree.page.add({{"nothing to draw: only what is not shown", Ink::dim}});
  if (!tree.common_why.empty())
    tree.page.prose({{"PCIe      ", Ink::bold}}, {{"          "}},
                    "rate unknown on every edge above: " + tree.common_why, Ink::dim);
}

}  // namespace railgauge::present
