// Routes links between posts (GPUs in a row, sockets side by side) on parallel lanes: short links
// near the posts, long ones further away, so that no two links lie on each other.
//   std::vector<Wire> wires = route(posts, ends);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace railgauge::present {

struct Ends {
  std::size_t left = 0;  // indices of posts, left < right
  std::size_t right = 0;
  std::size_t link = 0;  // the caller's
};

struct Wire {
  Ends ends;
  std::size_t lane = 0;  // 0 is nearest to the posts
  double x1 = 0;         // where it leaves its posts
  double x2 = 0;
  double label_x = 0;  // between two posts, near the middle
};

// `posts`: middles, from left to right. Taps of one post stand `tap_pitch` apart.
std::vector<Wire> route(const std::vector<double>& posts, std::vector<Ends> ends, double tap_pitch);
std::size_t lane_count(const std::vector<Wire>& wires);

// The path from (x1, y) to the lane at `lane_y` and back to (x2, y), with rounded corners.
std::string wire_path(const Wire& wire, double y, double lane_y);

}  // namespace railgauge::present
