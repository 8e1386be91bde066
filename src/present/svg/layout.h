// Where everything stands in the picture: sockets side by side, NUMA nodes inside them, switches as
// bars, and below the bars columns of NICs with one GPU at the foot, so that a rail is a column and
// all GPUs stand in one row above the NVLink fabric.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "present/fabric.h"
#include "present/outline.h"
#include "present/svg/canvas.h"

namespace railgauge::present {

struct Leaf {
  std::size_t node = 0;  // into Outline::nodes
  Rect box;
};

// NICs above each other, a GPU below them, one trunk line on the left.
struct Column {
  double x = 0;
  std::vector<Leaf> nics;
  std::optional<Leaf> gpu;
};

enum class BlockShape { package, numa, bar, loose };

struct Block {
  std::size_t node = 0;  // into Outline::nodes; none for `loose`, what has no known place
  BlockShape shape = BlockShape::bar;
  int bar_depth = 0;
  Rect box;
  std::vector<Block> blocks;
  std::vector<Column> columns;
};

struct Layout {
  std::vector<Block> tops;
  std::map<std::uint32_t, Rect> gpus;        // by DeviceId::value
  std::map<std::uint32_t, std::size_t> top;  // which of `tops` a device is in
  double width = 0;
  double top_y = 0;     // of the sockets
  double bottom_y = 0;  // of the sockets
  bool has_packages = false;
};

// `headroom`: what is kept free above the sockets, for the title and for links over them.
Layout lay_out(const model::Machine& machine, const Outline& outline, double headroom);

inline constexpr double margin = 24;
inline constexpr double package_gap = 96;   // holds the label of a socket link
inline constexpr double strip_height = 17;  // a link's label on top of its device
inline constexpr double trunk_inset = 9;

}  // namespace railgauge::present
