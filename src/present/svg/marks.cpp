#include "present/svg/marks.h"

#include <algorithm>
#include <map>

#include "present/words.h"

namespace railgauge::present {
namespace {

using model::DeviceId;

constexpr double mark_gap = 3;  // between a box and the outline around it
constexpr double label_height = 15;
constexpr double label_font = 10.5;
constexpr int most_steps_up = 64;  // deeper than any real tree

// Where each device is drawn; of what is folded, where it is folded in.
class Places {
 public:
  explicit Places(const Picture& picture) : p_(picture) {
    for (const Block& top : p_.layout.tops) add(top);
  }

  struct Place {
    Rect box;
    bool has_link = false;
    bool two_lines = false;  // the link's words are two lines high
  };

  // The device's own place or that of the nearest one above it.
  const Place* find(DeviceId id) const {
    for (int step = 0; step < most_steps_up; ++step) {
      if (const auto found = places_.find(id.value); found != places_.end()) return &found->second;
      const auto parent = p_.machine[id].parent;
      if (!parent) return nullptr;
      id = *parent;
    }
    return nullptr;
  }

 private:
  void put(std::size_t index, const Rect& box) {
    const OutlineNode& node = p_.outline.nodes[index];
    Place place{box, false, false};
    if (node.edge) {
      const EdgeWords words = edge_words(p_.machine.links[*node.edge]);
      place.has_link = !words.text().empty();
      place.two_lines = words.health == Health::degraded;
    }
    places_.emplace(node.device.value, place);
    for (const DeviceId id : node.folded) places_.emplace(id.value, place);
    for (const DeviceId id : node.alike) places_.emplace(id.value, place);
  }

  void add(const Block& block) {
    if (block.shape == BlockShape::bar) put(block.node, block.box);
    for (const Block& below : block.blocks) add(below);
    for (const Column& column : block.columns) {
      for (const Leaf& nic : column.nics) put(nic.node, nic.box);
      if (column.gpu) put(column.gpu->node, column.gpu->box);
    }
  }

  const Picture& p_;
  std::map<std::uint32_t, Place> places_;
};

}  // namespace

void draw_marks(const Picture& picture, const std::vector<Mark>& marks) {
  const Places places(picture);
  Canvas& canvas = picture.canvas;
  for (const Mark& mark : marks) {
    const Places::Place* place = places.find(mark.device);
    if (place == nullptr) continue;
    const Rect& box = place->box;
    canvas.open_mark("mark " + mark.css_class, mark.id, mark.href, mark.tooltip);
    canvas.box(
        {box.x - mark_gap, box.y - mark_gap, box.width + 2 * mark_gap, box.height + 2 * mark_gap},
        "mark-box", 8);
    if (mark.link && place->has_link)
      canvas.box({box.x, box.y, box.width, strip_height + (place->two_lines ? 13 : 0)}, "mark-link",
                 6);
    // On the lower edge: above are the link's words.
    const double width = std::min(text_width(mark.label, label_font) + 10, box.width);
    const Rect label{box.right() - width, box.bottom() - label_height / 2, width, label_height};
    canvas.box(label, "mark-label", 4);
    canvas.label(label.middle(), label.y + 11.5, fitted(mark.label, width, label_font),
                 "mark-text middle");
    canvas.close_mark(!mark.href.empty());
  }
}

}  // namespace railgauge::present
