// The tree as people want to see it: what carries nothing is left out, ports and bridges that
// lead to one thing are folded into it, and rows of identical siblings become one node.
//   Outline tree = outline(machine, false);
//   for (std::size_t root : tree.roots) draw(tree.nodes[root]);
// Shared by the text tree, the picture and the dot graph. Pure and linear.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/machine.h"

namespace railgauge::present {

struct OutlineNode {
  model::DeviceId device;
  std::vector<model::DeviceId> folded;  // bridges and ports on the way here, outermost first
  std::optional<std::size_t> edge;      // into Machine::links: towards the parent, narrowest PCIe
  std::vector<model::DeviceId> alike;   // identical siblings, this one included; empty when alone
  std::vector<std::size_t> children;    // into Outline::nodes
};

struct Outline {
  std::vector<OutlineNode> nodes;
  std::vector<std::size_t> roots;
  std::size_t hidden_drives = 0;
  std::size_t hidden_functions = 0;  // kind `other`
  std::size_t hidden_bridges = 0;    // bridges and ports that lead to nothing shown
  std::size_t hidden_switches = 0;   // NVSwitch chips: the NVLink part shows them
  std::size_t too_deep = 0;          // left out because the tree is deeper than any real one
};

// `everything`: also drives, other functions, empty bridges, and no grouping.
Outline outline(const model::Machine& machine, bool everything);

}  // namespace railgauge::present
