#include <fmt/format.h>

#include <algorithm>

#include "present/svg/draw.h"

namespace railgauge::present {
namespace {

// "50 GB/s IB", "DOWN 50 GB/s IB": the whole word is in the tooltip.
std::string short_port(const model::NicPort& port) {
  const bool usual = port.state && *port.state == "ACTIVE" && port.rate;
  std::string out = port.state && !usual ? clean(*port.state) : "";
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : " ") + part; };
  if (port.rate) add(text(*port.rate));
  if (port.link_layer) {
    const std::string layer = clean(*port.link_layer);
    add(layer == "InfiniBand" ? "IB" : layer == "Ethernet" ? "Eth" : layer);
  }
  return out;
}

using model::Device;

class TreeDrawer {
 public:
  explicit TreeDrawer(const Picture& picture) : p_(picture), canvas_(picture.canvas) {}

  void draw() {
    for (const Block& top : p_.layout.tops) containers(top);
    for (const Block& top : p_.layout.tops) wires(top);
    for (const Block& top : p_.layout.tops) boxes(top);
  }

 private:
  const OutlineNode& node(const Block& block) const { return p_.outline.nodes[block.node]; }
  const Device& device(const OutlineNode& n) const { return p_.machine[n.device]; }

  EdgeWords edge(const OutlineNode& n) const {
    if (n.edge) return edge_words(p_.machine.links[*n.edge]);
    EdgeWords none;
    none.health = Health::good;
    return none;
  }

  std::string label(const OutlineNode& n) const {
    std::string out =
        n.alike.empty() ? id_of(p_.machine, n.device) : short_range(p_.machine, n.alike);
    if (is_inferred(device(n))) out += " ~";
    return out;
  }

  std::string tooltip(const OutlineNode& n) const {
    const Device& d = device(n);
    std::string out = label(n);
    for (const std::string& part : {short_name(d), address_of(d), edge(n).text()})
      if (!part.empty()) out += "\n" + part;
    if (d.nic)
      for (const auto& port : d.nic->ports) out += "\n" + port_words(port);
    return out;
  }

  std::string inferred_class(const OutlineNode& n) const {
    return is_inferred(device(n)) ? " inferred" : "";
  }

  void containers(const Block& block) {
    if (block.shape == BlockShape::package || block.shape == BlockShape::numa) {
      const bool package = block.shape == BlockShape::package;
      const OutlineNode& n = node(block);
      canvas_.open_group(tooltip(n));
      canvas_.box(block.box, (package ? "package" : "numa") + inferred_class(n), package ? 10 : 8);
      header(block, n, package);
      canvas_.close_group();
    }
    if (block.shape == BlockShape::loose)
      canvas_.label(block.box.x, block.box.y + 19, "place not known", "head soft");
    for (const Block& below : block.blocks) containers(below);
  }

  void header(const Block& block, const OutlineNode& n, bool package) {
    const std::string id = label(n);
    const double id_width = text_width(id, 13.5);
    canvas_.label(block.box.x + 12, block.box.y + 20, id, "head");
    std::string words = package ? short_name(device(n)) : "";
    const auto add = [&](const std::string& part) {
      if (!part.empty()) words += (words.empty() ? "" : " · ") + part;
    };
    if (const auto& cpu = device(n).cpu) {
      if (!package && cpu->cpus) add("cpus " + clean(*cpu->cpus));
      if (package && cpu->core_count) add(fmt::format("{} cores", *cpu->core_count));
      if (cpu->memory_bytes) add(text_of_bytes(*cpu->memory_bytes));
    }
    if (!n.alike.empty()) add(fmt::format("{} nodes of memory only", n.alike.size()));
    canvas_.label(block.box.x + 22 + id_width, block.box.y + 20,
                  fitted(words, block.box.width - id_width - 34, small_font), "soft");
  }

  // What hangs below one header or bar starts from one horizontal line.
  void bus(const Block& block, double y) {
    double left = block.box.right();
    double right = block.box.x;
    const auto reach = [&](double x) {
      left = std::min(left, x);
      right = std::max(right, x);
    };
    for (const Block& below : block.blocks)
      if (below.shape == BlockShape::bar) reach(below.box.middle());
    for (const Column& column : block.columns) reach(column.x + trunk_inset);
    if (left < right) canvas_.line(left, y, right, y, "wire");
  }

  // From the header or bar down to each block, and one trunk per column with a branch to each NIC.
  void wires(const Block& block) {
    const bool container = block.shape == BlockShape::package || block.shape == BlockShape::numa;
    const double from = container ? block.box.y + 30 : block.box.bottom();
    if (container) bus(block, from);
    for (const Block& below : block.blocks) {
      if (below.shape == BlockShape::bar) {
        const OutlineNode& n = node(below);
        canvas_.line(below.box.middle(), from, below.box.middle(), below.box.y,
                     "wire" + state_classes(edge(n)) + inferred_class(n));
      }
      wires(below);
    }
    if (block.shape == BlockShape::loose) return;
    for (const Column& column : block.columns) trunk(column, from);
  }

  void trunk(const Column& column, double from) {
    const double x = column.x + trunk_inset;
    double end = from;
    for (const Leaf& nic : column.nics) end = nic.box.y + strip_height / 2;
    if (column.gpu) end = column.gpu->box.y;
    const bool only_gpu = column.gpu && column.nics.empty();
    canvas_.line(
        x, from, x, end,
        "wire" + (only_gpu ? state_classes(edge(p_.outline.nodes[column.gpu->node])) : ""));
    if (column.gpu && !column.nics.empty()) {
      const double last = column.nics.back().box.y + strip_height / 2;
      canvas_.line(x, last, x, column.gpu->box.y,
                   "wire" + state_classes(edge(p_.outline.nodes[column.gpu->node])));
    }
    for (const Leaf& nic : column.nics) {
      const double y = nic.box.y + strip_height / 2;
      canvas_.line(x, y, nic.box.x, y, "wire" + state_classes(edge(p_.outline.nodes[nic.node])));
    }
  }

  void boxes(const Block& block) {
    if (block.shape == BlockShape::bar) bar(block);
    for (const Block& below : block.blocks) boxes(below);
    for (const Column& column : block.columns) {
      for (const Leaf& nic : column.nics) leaf(nic, "nic");
      if (column.gpu) leaf(*column.gpu, "gpu");
    }
  }

  // The link's words on top of a box, two lines when it is not what it could be. Returns its
  // height.
  double strip(const Rect& box, const OutlineNode& n) {
    const EdgeWords words = edge(n);
    if (words.text().empty()) return 0;
    const bool two = words.health == Health::degraded;
    const double height = two ? strip_height + 13 : strip_height;
    std::string state = state_classes(words);
    canvas_.box({box.x, box.y, box.width, height}, "strip" + state, 6);
    const std::string ink = two ? "middle on-degraded" : "middle" + state;
    if (two) {
      canvas_.label(box.middle(), box.y + 12, fitted(words.shape, box.width - 4, small_font), ink);
      canvas_.label(box.middle(), box.y + 25, fitted(words.rate, box.width - 4, small_font), ink);
      return height;
    }
    const std::string line = words.rate.empty()
                                 ? words.shape + (words.shape.empty() ? "" : ", ") + "rate unknown"
                                 : words.text();
    canvas_.label(box.middle(), box.y + 12.5, fitted(line, box.width - 4, small_font), ink);
    return height;
  }

  void bar(const Block& block) {
    const OutlineNode& n = node(block);
    canvas_.open_group(tooltip(n));
    canvas_.box(block.box, "switch" + inferred_class(n));
    const double y = block.box.y + strip(block.box, n);
    const double room = block.box.width - 16;
    canvas_.label(block.box.x + 8, y + 15, fitted(label(n), room, id_font), "id");
    const double id_width = text_width(label(n), id_font) + 10;
    const std::string name = short_name(device(n));
    const std::string address = short_address(device(n));
    // Next to the id where there is room for both, else below it.
    if (text_width(name + "  " + address, small_font) < room - id_width) {
      canvas_.label(block.box.x + 8 + id_width, y + 15, name, "soft");
      canvas_.label(block.box.right() - 8, y + 15, address, "soft end");
    } else {
      canvas_.label(block.box.right() - 8, y + 15, fitted(address, room - id_width, small_font),
                    "soft end");
      if (y + 28 < block.box.bottom())
        canvas_.label(block.box.x + 8, y + 29, fitted(name, room, small_font), "soft");
    }
    canvas_.close_group();
  }

  std::vector<std::string> lines(const OutlineNode& n) const {
    const Device& d = device(n);
    std::vector<std::string> out;
    if (!n.alike.empty()) {
      const bool virtual_ones = d.pci && d.pci->physical_function;
      const std::string port =
          d.nic && d.nic->ports.size() == 1 ? short_port(d.nic->ports.front()) : "";
      const std::string what = virtual_ones ? "virtual ones" : "alike";
      out.push_back(port.empty() ? fmt::format("{} {}", n.alike.size(), what)
                                 : fmt::format("{}× {}", n.alike.size(), port));
    }
    if (std::string name = short_name(d); !name.empty()) out.push_back(std::move(name));
    if (d.nic && n.alike.empty())
      for (const auto& port : d.nic->ports)
        if (std::string words = short_port(port); !words.empty()) out.push_back(std::move(words));
    for (std::size_t i : p_.net.to_cpu) {
      const auto& link = p_.machine.links[i];
      if (link.a == n.device || link.b == n.device)
        out.push_back(edge_words(link).text() + " → CPU");
    }
    return out;
  }

  void leaf(const Leaf& leaf, std::string_view kind) {
    const OutlineNode& n = p_.outline.nodes[leaf.node];
    canvas_.open_group(tooltip(n));
    canvas_.box(leaf.box, std::string(kind) + inferred_class(n));
    double y = leaf.box.y + strip(leaf.box, n);
    const double room = leaf.box.width - 14;
    const std::string address = n.alike.empty() ? short_address(device(n)) : "";
    // The id is what people look for: a long one moves the address below, where there is room.
    const bool beside = text_width(label(n), id_font) + text_width(address, small_font) + 6 <= room;
    y += 16;
    canvas_.label(leaf.box.x + 8, y, fitted(label(n), room, id_font), "id");
    if (beside)
      canvas_.label(leaf.box.right() - 6, y, address, "soft end");
    else if (const double foot = leaf.box.bottom() - 6;
             foot - 14 * static_cast<double>(lines(n).size()) >= y + 10)
      canvas_.label(leaf.box.x + 8, foot, fitted(address, room, small_font), "soft");
    for (const std::string& line : lines(n)) {
      y += 14;
      if (y > leaf.box.bottom() - 3) break;
      canvas_.label(leaf.box.x + 8, y, fitted(line, room, small_font), "");
    }
    if (device(n).gpu && n.alike.empty())
      if (const std::string lost = lost_nvlinks(p_.machine, n.device); !lost.empty())
        canvas_.label(leaf.box.x + 8, y + 14, lost, "degraded");
    canvas_.close_group();
  }

  const Picture& p_;
  Canvas& canvas_;
};

}  // namespace

std::string state_classes(const EdgeWords& edge) {
  std::string out;
  if (edge.health == Health::degraded) out += " degraded";
  if (edge.health == Health::unknown && !edge.why.empty()) out += " unknown";
  if (edge.inferred) out += " inferred";
  return out;
}

void draw_trees(const Picture& picture) { TreeDrawer(picture).draw(); }

}  // namespace railgauge::present
