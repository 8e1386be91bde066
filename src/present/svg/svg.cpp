// The picture of one machine.
#include <fmt/format.h>

#include <array>

#include "present/present.h"
#include "present/svg/draw.h"
#include "present/svg/marks.h"
#include "present/svg/style.h"

namespace railgauge::present {
namespace {

using model::Machine;

constexpr double title_height = 74;

std::string title_words(const Machine& machine) {
  std::string out = clean(machine.host.hostname.value_or(machine.name));
  if (machine.host.product) {
    const std::string product = clean(*machine.host.product);
    out = out.empty() ? product : product + " · " + out;
  }
  return out.empty() ? "machine" : out;
}

std::string counts_words(const Machine& machine) {
  std::string out;
  if (!machine.devices.empty()) out = fmt::format("{}", fmt::join(count_words(machine), " · "));
  if (machine.host.driver) out += " · driver " + clean(*machine.host.driver);
  if (machine.host.kernel) out += " · kernel " + clean(*machine.host.kernel);
  return out;
}

std::size_t degraded_links(const Machine& machine) {
  std::size_t count = 0;
  for (const auto& link : machine.links)
    if (edge_words(link).health == Health::degraded) ++count;
  return count;
}

void draw_title(Canvas& canvas, const Machine& machine, double width) {
  canvas.label(margin, 34, fitted(title_words(machine), width - 2 * margin, 22), "title");
  const std::string counts = fitted(counts_words(machine), width - 2 * margin - 260, 11);
  canvas.label(margin, 54, counts, "soft");
  if (const auto count = degraded_links(machine); count > 0)
    canvas.label(
        width - margin, 54,
        plural(count, "link below what both ends can do", "links below what both ends can do"),
        "degraded end");
}

void draw_legend(Canvas& canvas, const Outline& outline, double y) {
  struct Key {
    const char* css_class;
    const char* words;
  };
  static constexpr std::array<Key, 5> keys{{{"gpu", "GPU"},
                                            {"nic", "NIC"},
                                            {"switch", "PCIe switch or bridge"},
                                            {"strip degraded", "below what both ends can do"},
                                            {"numa inferred", "inferred, not stated"}}};
  double x = margin;
  for (const Key& key : keys) {
    canvas.box({x, y, 18, 12}, key.css_class, 3);
    canvas.label(x + 24, y + 10, key.words, "soft");
    x += 24 + text_width(key.words, small_font) + 18;
  }
  std::string words = "Rates are GB/s in one direction, as found.";
  if (outline.hidden_drives > 0)
    words += " Not drawn: " + plural(outline.hidden_drives, "drive", "drives") + ".";
  if (outline.hidden_functions > 0)
    words += " Not drawn: " +
             plural(outline.hidden_functions, "other PCI function", "other PCI functions") + ".";
  canvas.label(margin, y + 30, words, "soft");
}

}  // namespace

std::string svg(const Machine& machine) { return svg(machine, {}); }

std::string svg(const Machine& machine, const std::vector<Mark>& marks) {
  const Outline shape = outline(machine, false);
  const Fabric net = fabric(machine);
  const auto lanes = static_cast<double>(socket_lanes(machine, net, shape));
  const double headroom = title_height + (lanes > 0 ? 10 + lanes * socket_lane_pitch : 0);
  const Layout layout = lay_out(machine, shape, headroom);
  Canvas canvas;
  const Picture picture{machine, shape, net, layout, canvas};
  draw_title(canvas, machine, layout.width);
  draw_sockets(picture);
  draw_trees(picture);
  const double below = draw_fabric(picture, layout.bottom_y);
  draw_marks(picture, marks);
  if (layout.tops.empty()) canvas.label(margin, layout.top_y + 30, "no devices known", "head soft");
  draw_legend(canvas, shape, below + 28);
  const double height = below + 28 + 30 + 20;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rg\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"{3}\" aria-label=\"{2}\">\n"
      "<style>{4}</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n{5}</svg>\n",
      layout.width, height, escaped("Interconnect of " + title_words(machine)),
      marks.empty() ? "img" : "group",  // inside an image nothing could be reached
      svg_style, canvas.elements());
}

}  // namespace railgauge::present
