// What joins the trees: NVLink below them, the sockets' links between and above them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "present/svg/draw.h"
#include "present/svg/lanes.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::Link;
using model::Machine;

constexpr double bond_drop = 48;  // from the sockets to the fabric's bar; holds two lines of words
constexpr double fabric_height = 34;
constexpr double lane_pitch = 17;
constexpr double tap_pitch = 6;
constexpr double most_stroke = 5;

struct Posts {
  std::vector<DeviceId> ids;
  std::vector<double> middles;
};

Posts gpus_from_left(const Layout& layout) {
  std::vector<std::pair<double, DeviceId>> sorted;
  for (const auto& [id, box] : layout.gpus) sorted.emplace_back(box.middle(), DeviceId{id});
  std::sort(sorted.begin(), sorted.end());
  Posts out;
  for (const auto& [middle, id] : sorted) {
    out.ids.push_back(id);
    out.middles.push_back(middle);
  }
  return out;
}

double stroke_of(const Link& link) {
  return std::min(most_stroke, 1.2 + 0.8 * link.width.value_or(1));
}

std::string bond_words(const EdgeWords& words) {
  return words.rate.empty() ? words.shape + ", rate unknown" : words.text();
}

double draw_switched(const Picture& p, double y) {
  double left = p.layout.width;
  double right = 0;
  const double bar_y = y + bond_drop;
  for (const auto& [id, bond] : p.net.to_switch) {
    const auto at = p.layout.gpus.find(id);
    if (at == p.layout.gpus.end()) continue;
    const Rect& gpu = at->second;
    const EdgeWords words = bond.words();
    left = std::min(left, gpu.x);
    right = std::max(right, gpu.right());
    p.canvas.path(fmt::format("M{0:.1f} {1:.1f}V{2:.1f}", gpu.middle(), gpu.bottom(), bar_y),
                  "bond" + state_classes(words), 3);
    const std::string ink = "middle" + state_classes(words);
    const std::string rate = words.rate.empty() ? "rate unknown" : words.rate;
    p.canvas.label_on_line(gpu.middle(), y + 20, fitted(words.shape, gpu.width, small_font), ink);
    p.canvas.label_on_line(gpu.middle(), y + 34, fitted(rate, gpu.width, small_font), ink);
  }
  if (right <= left) return y;
  const Rect bar{left, bar_y, right - left, fabric_height};
  p.canvas.box(bar, "fabric", 8);
  std::string words = switches_words(p.machine, p.net);
  if (p.net.switches.size() > 1 && p.net.switches.size() <= 12)
    words += ": " + range_words(p.machine, p.net.switches);
  p.canvas.label(bar.middle(), bar.y + 21, fitted(words, bar.width - 16, id_font), "head middle");
  return bar.bottom();
}

double draw_direct(const Picture& p, double y) {
  const Posts posts = gpus_from_left(p.layout);
  std::map<std::uint32_t, std::size_t> post_of;
  for (std::size_t i = 0; i < posts.ids.size(); ++i) post_of[posts.ids[i].value] = i;
  std::vector<Ends> ends;
  for (std::size_t i : p.net.direct) {
    const auto a = post_of.find(p.machine.links[i].a.value);
    const auto b = post_of.find(p.machine.links[i].b.value);
    if (a == post_of.end() || b == post_of.end() || a->second == b->second) continue;
    ends.push_back({std::min(a->second, b->second), std::max(a->second, b->second), i});
  }
  if (ends.empty()) return y;
  const auto wires = route(posts.middles, std::move(ends), tap_pitch);
  const double foot = p.layout.gpus.begin()->second.bottom();
  const auto lane_y = [&](const Wire& wire) {
    return y + 26 + lane_pitch * static_cast<double>(wire.lane);
  };
  for (const Wire& wire : wires) {
    const Link& link = p.machine.links[wire.ends.link];
    p.canvas.open_group(id_of(p.machine, link.a) + " to " + id_of(p.machine, link.b) + "\n" +
                        edge_words(link).text());
    p.canvas.path(wire_path(wire, foot, lane_y(wire)), "bond" + state_classes(edge_words(link)),
                  stroke_of(link));
    p.canvas.close_group();
  }
  for (const Wire& wire : wires) {
    const EdgeWords words = edge_words(p.machine.links[wire.ends.link]);
    p.canvas.label_on_line(wire.label_x, lane_y(wire) + 4, bond_words(words),
                           "middle" + state_classes(words));
  }
  return y + 26 + lane_pitch * static_cast<double>(lane_count(wires));
}

// Which top block holds each device of a socket link; nothing where one is not drawn.
std::optional<Ends> socket_ends(const Layout& layout, const Machine& machine, std::size_t index) {
  const Link& link = machine.links[index];
  const auto a = layout.top.find(link.a.value);
  const auto b = layout.top.find(link.b.value);
  if (a == layout.top.end() || b == layout.top.end() || a->second == b->second) return std::nullopt;
  return Ends{std::min(a->second, b->second), std::max(a->second, b->second), index};
}

void draw_neighbours(const Picture& p, const Ends& ends, double y) {
  const Link& link = p.machine.links[ends.link];
  const EdgeWords words = edge_words(link);
  const double x1 = p.layout.tops[ends.left].box.right();
  const double x2 = p.layout.tops[ends.right].box.x;
  p.canvas.open_group(words.text());
  p.canvas.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", x1, y, x2), "socket" + state_classes(words),
                4);
  const std::string ink = "middle" + state_classes(words);
  const double room = package_gap - 8;
  p.canvas.label((x1 + x2) / 2, y - 8, fitted(words.shape, room, small_font), ink);
  p.canvas.label((x1 + x2) / 2, y + 17,
                 words.rate.empty() ? "rate unknown" : fitted(words.rate, room, small_font), ink);
  p.canvas.close_group();
}

}  // namespace

double draw_fabric(const Picture& picture, double y) {
  y = draw_switched(picture, y);
  return draw_direct(picture, y);
}

std::size_t socket_lanes(const Machine& machine, const Fabric& net, const Outline& outline) {
  const Layout layout = lay_out(machine, outline, 0);
  std::vector<double> posts;
  for (const Block& top : layout.tops) posts.push_back(top.box.middle());
  std::vector<Ends> far;
  for (std::size_t i : net.sockets)
    if (const auto ends = socket_ends(layout, machine, i); ends && ends->right - ends->left > 1)
      far.push_back(*ends);
  return lane_count(route(posts, std::move(far), tap_pitch));
}

void draw_sockets(const Picture& p) {
  std::vector<double> posts;
  for (const Block& top : p.layout.tops) posts.push_back(top.box.middle());
  std::vector<Ends> far;
  std::map<std::size_t, int> drawn;  // links already in the gap right of a socket
  for (std::size_t i : p.net.sockets) {
    const auto ends = socket_ends(p.layout, p.machine, i);
    if (!ends) continue;
    if (ends->right - ends->left > 1)
      far.push_back(*ends);
    else
      draw_neighbours(p, *ends, p.layout.top_y + 40 + 44 * drawn[ends->left]++);
  }
  const auto wires = route(posts, std::move(far), tap_pitch);
  for (const Wire& wire : wires) {
    const Link& link = p.machine.links[wire.ends.link];
    const EdgeWords words = edge_words(link);
    const double lane_y = p.layout.top_y - 14 - socket_lane_pitch * static_cast<double>(wire.lane);
    p.canvas.path(wire_path(wire, p.layout.top_y, lane_y), "socket" + state_classes(words), 3);
    p.canvas.label_on_line(wire.label_x, lane_y + 4, bond_words(words),
                           "middle" + state_classes(words));
  }
}

}  // namespace railgauge::present
