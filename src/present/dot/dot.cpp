// The outline as a Graphviz graph: a cluster per package, NUMA node and switch.
//   railgauge see --format dot | dot -Tsvg
#include <fmt/format.h>

#include "present/fabric.h"
#include "present/outline.h"
#include "present/present.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Link;
using model::Machine;

// A quoted string; Graphviz knows \" and \n inside, and a backslash must be doubled.
std::string quote(std::string_view words) {
  std::string out = "\"";
  for (char c : words) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string node_name(DeviceId id) { return fmt::format("d{}", id.value); }

const char* fill(DeviceKind kind) {
  if (kind == DeviceKind::gpu) return "#e3f3e1";
  if (kind == DeviceKind::nic) return "#e4eefb";
  if (kind == DeviceKind::nvswitch) return "#d5ecd1";
  return "#e6ebf2";
}

std::string edge_style(const EdgeWords& words) {
  std::string out = "label=" + quote(words.text());
  if (words.health == Health::degraded) out += ", color=\"#c62828\", fontcolor=\"#c62828\"";
  if (words.health == Health::unknown && !words.why.empty()) out += ", color=\"#9aa4b0\"";
  if (words.inferred) out += ", style=dashed";
  return out;
}

class Writer {
 public:
  Writer(const Machine& machine) : machine_(machine), outline_(outline(machine, false)) {}

  std::string write() {
    out_ = "graph machine {\n  graph [fontname=Helvetica, label=" + quote(clean(machine_.name)) +
           ", labelloc=t];\n  node [shape=box, style=\"rounded,filled\", fontname=Helvetica, "
           "fontsize=10];\n  edge [fontname=Helvetica, fontsize=9];\n";
    for (std::size_t root : outline_.roots) cluster(root, "  ");
    for (const std::string& edge : edges_) out_ += "  " + edge + ";\n";
    fabric_edges();
    return out_ + "}\n";
  }

 private:
  std::string label(const OutlineNode& node) const {
    const model::Device& device = machine_[node.device];
    std::string out = node.alike.empty() ? id_of(machine_, node.device)
                                         : range_words(machine_, node.alike) +
                                               fmt::format(" ({})", node.alike.size());
    for (const std::string& part : {short_name(device), short_address(device)})
      if (!part.empty()) out += "\n" + part;
    return out;
  }

  void vertex(const OutlineNode& node, const std::string& indent) {
    const model::Device& device = machine_[node.device];
    out_ += fmt::format("{}{} [label={}, fillcolor=\"{}\"{}];\n", indent, node_name(node.device),
                        quote(label(node)), fill(device.kind),
                        is_inferred(device) ? ", style=\"rounded,filled,dashed\"" : "");
  }

  void cluster(std::size_t index, const std::string& indent) {
    const OutlineNode& node = outline_.nodes[index];
    if (node.children.empty()) {
      vertex(node, indent);
      return;
    }
    out_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", indent, node_name(node.device),
                        indent, quote(id_of(machine_, node.device)));
    vertex(node, indent + "  ");
    for (std::size_t child : node.children) {
      const OutlineNode& below = outline_.nodes[child];
      std::string edge = node_name(node.device) + " -- " + node_name(below.device);
      if (below.edge) edge += " [" + edge_style(edge_words(machine_.links[*below.edge])) + "]";
      edges_.push_back(std::move(edge));
      cluster(child, indent + "  ");
    }
    out_ += indent + "}\n";
  }

  void fabric_edges() {
    const Fabric net = fabric(machine_);
    if (!net.to_switch.empty())
      out_ += "  fabric [label=" + quote(switches_words(machine_, net)) + ", fillcolor=\"" +
              fill(DeviceKind::nvswitch) + "\"];\n";
    for (const auto& [gpu, bond] : net.to_switch)
      out_ += fmt::format("  {} -- fabric [{}, penwidth=2];\n", node_name({gpu}),
                          edge_style(bond.words()));
    for (const auto& list : {net.direct, net.to_cpu, net.sockets})
      for (std::size_t i : list) {
        const Link& link = machine_.links[i];
        out_ += fmt::format("  {} -- {} [{}, penwidth=2];\n", node_name(link.a), node_name(link.b),
                            edge_style(edge_words(link)));
      }
  }

  const Machine& machine_;
  Outline outline_;
  std::vector<std::string> edges_;
  std::string out_;
};

}  // namespace

std::string dot(const Machine& machine) { return Writer(machine).write(); }

}  // namespace railgauge::present
