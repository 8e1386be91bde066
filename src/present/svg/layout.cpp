#include "present/svg/layout.h"

#include <algorithm>
#include <utility>

namespace railgauge::present {
namespace {

using model::DeviceKind;
using model::Machine;

constexpr double column_width = 150;
constexpr double column_gap = 12;
constexpr double block_gap = 16;
constexpr double nic_indent = 20;
constexpr double nic_height = 78;
constexpr double gpu_height = 82;
constexpr double row_gap = 10;
constexpr double header_height = 30;
constexpr double bar_height = 54;
constexpr double bar_gap = 20;
constexpr double padding = 14;
constexpr double least_container = 160;
constexpr double least_lone_container = 420;  // room for the CPU's name where nothing is beside it
constexpr std::size_t most_stacked = 4;

std::size_t rounded_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

class Planner {
 public:
  Planner(const Machine& machine, const Outline& outline) : machine_(machine), outline_(outline) {}

  Layout plan(double headroom) {
    std::vector<std::size_t> loose;
    for (std::size_t root : outline_.roots) {
      if (is_leaf(root))
        loose.push_back(root);
      else
        out_.tops.push_back(block(root, 0));
    }
    if (!loose.empty()) {
      Block rest;
      rest.shape = BlockShape::loose;
      rest.columns = columns(loose);
      out_.tops.push_back(std::move(rest));
    }
    for (const Block& top : out_.tops) measure(top);
    set_rows(headroom);
    double x = margin;
    for (std::size_t i = 0; i < out_.tops.size(); ++i) {
      current_top_ = i;
      place(out_.tops[i], x);
      x = out_.tops[i].box.right() + package_gap;
    }
    out_.width = std::max(760.0, x - package_gap + margin);
    return std::move(out_);
  }

 private:
  DeviceKind kind(std::size_t node) const { return machine_[outline_.nodes[node].device].kind; }
  bool is_leaf(std::size_t node) const {
    return kind(node) == DeviceKind::gpu || kind(node) == DeviceKind::nic;
  }

  Block block(std::size_t node, int bar_depth) {
    Block out;
    out.node = node;
    out.bar_depth = bar_depth;
    const DeviceKind what = kind(node);
    if (what == DeviceKind::package) {
      out.shape = BlockShape::package;
      out_.has_packages = true;
    } else if (what == DeviceKind::numa_node) {
      out.shape = BlockShape::numa;
    } else {
      ++bar_depth;
    }
    std::vector<std::size_t> leaves;
    for (std::size_t child : outline_.nodes[node].children) {
      if (is_leaf(child))
        leaves.push_back(child);
      else
        out.blocks.push_back(block(child, bar_depth));
    }
    out.columns = columns(leaves);
    return out;
  }

  std::vector<Column> columns(const std::vector<std::size_t>& leaves) const {
    std::vector<std::size_t> gpus;
    std::vector<std::size_t> nics;
    for (std::size_t leaf : leaves) (kind(leaf) == DeviceKind::gpu ? gpus : nics).push_back(leaf);
    const std::size_t stacked = gpus.empty() ? 2 : most_stacked;
    const std::size_t count = std::max(gpus.size(), rounded_up(nics.size(), stacked));
    std::vector<Column> out(count);
    for (std::size_t i = 0; i < nics.size(); ++i)
      out[i * count / std::max(nics.size(), count)].nics.push_back({nics[i], {}});
    for (std::size_t i = 0; i < gpus.size(); ++i) out[i * count / gpus.size()].gpu = {gpus[i], {}};
    return out;
  }

  void measure(const Block& block) {
    if (block.shape == BlockShape::bar) bars_ = std::max(bars_, block.bar_depth + 1);
    for (const Column& column : block.columns) {
      stacked_ = std::max(stacked_, column.nics.size());
      any_gpu_ = any_gpu_ || column.gpu.has_value();
    }
    for (const Block& below : block.blocks) measure(below);
  }

  void set_rows(double headroom) {
    out_.top_y = headroom;
    numa_y_ = headroom + (out_.has_packages ? header_height : 0);
    bar_y_ = numa_y_ + header_height + bar_gap;
    nic_y_ = bar_y_ + bars_ * (bar_height + bar_gap) - (bars_ == 0 ? bar_gap - 14 : 0);
    gpu_y_ = nic_y_ + static_cast<double>(stacked_) * (nic_height + row_gap);
    double bottom = any_gpu_ ? gpu_y_ + gpu_height : gpu_y_ - (stacked_ > 0 ? row_gap : 0);
    numa_bottom_ = bottom + padding;
    out_.bottom_y = numa_bottom_ + (out_.has_packages ? padding : 0);
  }

  void place(Block& block, double x) {
    const bool container = block.shape == BlockShape::package || block.shape == BlockShape::numa;
    const double inset = container ? padding : 0;
    double at = x + inset;
    for (Block& below : block.blocks) {
      place(below, at);
      at = below.box.right() + block_gap;
    }
    for (Column& column : block.columns) {
      place(column, at);
      at += column_width + column_gap;
    }
    double right = at - (!block.columns.empty() ? column_gap
                         : block.blocks.empty() ? 0
                                                : block_gap);
    right = std::max(right + inset, x + least_width(block.shape, container));
    block.box = {x, 0, right - x, 0};
    switch (block.shape) {
      case BlockShape::package:
        block.box.y = out_.top_y;
        block.box.height = out_.bottom_y - out_.top_y;
        break;
      case BlockShape::numa:
        block.box.y = numa_y_;
        block.box.height = numa_bottom_ - numa_y_;
        break;
      case BlockShape::bar:
        block.box.y = bar_y_ + block.bar_depth * (bar_height + bar_gap);
        block.box.height = bar_height;
        break;
      case BlockShape::loose:
        block.box.y = numa_y_;
        block.box.height = header_height;
        break;
    }
    if (block.shape == BlockShape::loose) return;
    const OutlineNode& node = outline_.nodes[block.node];
    out_.top[node.device.value] = current_top_;
  }

  double least_width(BlockShape shape, bool container) const {
    if (!container) return column_width;
    if (out_.tops.size() > 1) return least_container;
    return least_lone_container -
           (shape == BlockShape::numa && out_.has_packages ? 2 * padding : 0);
  }

  void place(Column& column, double x) {
    column.x = x;
    double y = nic_y_;
    for (Leaf& nic : column.nics) {
      nic.box = {x + nic_indent, y, column_width - nic_indent, nic_height};
      y += nic_height + row_gap;
    }
    if (!column.gpu) return;
    column.gpu->box = {x, gpu_y_, column_width, gpu_height};
    out_.gpus[outline_.nodes[column.gpu->node].device.value] = column.gpu->box;
  }

  const Machine& machine_;
  const Outline& outline_;
  Layout out_;
  std::size_t current_top_ = 0;
  int bars_ = 0;
  std::size_t stacked_ = 0;
  bool any_gpu_ = false;
  double numa_y_ = 0;
  double bar_y_ = 0;
  double nic_y_ = 0;
  double gpu_y_ = 0;
  double numa_bottom_ = 0;
};

}  // namespace

Layout lay_out(const Machine& machine, const Outline& outline, double headroom) {
  return Planner(machine, outline).plan(headroom);
}

}  // namespace railgauge::present
