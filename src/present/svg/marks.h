// Devices and links that the picture points at: an outline around the device, a second one around
// the words of its link where the link is meant, and a label.
//   svg(machine, {{.device = gpu2, .label = "PCI012", .css_class = "error", .link = true}})
#pragma once

#include <string>
#include <vector>

#include "present/svg/draw.h"

namespace railgauge::present {

struct Mark {
  model::DeviceId device;
  std::string label;      // "PCI012"
  std::string css_class;  // "error", "warning", "note"
  std::string tooltip{};
  std::string href{};  // where the label leads; empty: nowhere
  std::string id{};    // of the element, to be led to; empty: none
  bool link = false;   // the device's link towards its parent is meant
};

// The picture with marks. What is not drawn is marked where it is folded in, or at the nearest
// device above it.
std::string svg(const model::Machine& machine, const std::vector<Mark>& marks);

void draw_marks(const Picture& picture, const std::vector<Mark>& marks);

}  // namespace railgauge::present
