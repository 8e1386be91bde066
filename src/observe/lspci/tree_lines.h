// The drawing of lspci -t, undone: which functions sit on which bus, behind which bridge.
//   for (const TreeNode& node : parse_tree(text).nodes) …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/pci.h"

namespace railgauge::observe {

struct TreeNode {
  model::PciAddress address;
  std::optional<std::size_t> bridge;  // into nodes; none on a root bus
  std::optional<int> secondary_bus;   // bridges
  int subordinate_bus = 0;
  std::string name;  // what stands after it, with -v
  std::uint32_t line = 0;
};

struct TreeText {
  std::vector<TreeNode> nodes;
  std::vector<std::pair<std::uint32_t, std::string>> problems;  // line, what
};

TreeText parse_tree(std::string_view plain);

}  // namespace railgauge::observe
