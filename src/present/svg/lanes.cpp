#include "present/svg/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace railgauge::present {
namespace {

constexpr double corner = 7;

// Two links that meet at a post leave it side by side: those to the left on its left half, the
// farthest of them innermost, so that a link does not cross its neighbours where it starts.
void set_taps(const std::vector<double>& posts, std::vector<Wire>& wires, double pitch) {
  for (std::size_t post = 0; post < posts.size(); ++post) {
    std::vector<std::tuple<int, std::size_t, double*>> taps;  // order from left to right
    for (Wire& wire : wires) {
      const std::size_t span = wire.ends.right - wire.ends.left;
      if (wire.ends.right == post) taps.emplace_back(0, span, &wire.x2);
      if (wire.ends.left == post) taps.emplace_back(1, posts.size() - span, &wire.x1);
    }
    std::stable_sort(taps.begin(), taps.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    const double first = posts[post] - pitch * (static_cast<double>(taps.size()) - 1) / 2;
    for (std::size_t i = 0; i < taps.size(); ++i)
      *std::get<2>(taps[i]) = first + pitch * static_cast<double>(i);
  }
}

double gap_near_middle(const std::vector<double>& posts, const Ends& ends) {
  const double middle = (posts[ends.left] + posts[ends.right]) / 2;
  double best = middle;
  double distance = -1;
  for (std::size_t i = ends.left; i < ends.right; ++i) {
    const double gap = (posts[i] + posts[i + 1]) / 2;
    const double away = std::abs(gap - middle);
    if (distance < 0 || away < distance) {
      best = gap;
      distance = away;
    }
  }
  return best;
}

}  // namespace

std::vector<Wire> route(const std::vector<double>& posts, std::vector<Ends> ends,
                        double tap_pitch) {
  std::stable_sort(ends.begin(), ends.end(), [](const Ends& a, const Ends& b) {
    return std::make_pair(a.right - a.left, a.left) < std::make_pair(b.right - b.left, b.left);
  });
  std::vector<Wire> wires;
  std::vector<std::vector<Ends>> lanes;
  for (const Ends& e : ends) {
    std::size_t lane = 0;
    const auto taken = [&](const std::vector<Ends>& others) {
      return std::any_of(others.begin(), others.end(),
                         [&](const Ends& o) { return e.left < o.right && o.left < e.right; });
    };
    // A longer link goes below every shorter one it spans, or it would cross that one's ends.
    for (std::size_t i = lanes.size(); i > 0; --i) {
      if (taken(lanes[i - 1])) {
        lane = i;
        break;
      }
    }
    if (lane == lanes.size()) lanes.emplace_back();
    lanes[lane].push_back(e);
    Wire wire;
    wire.ends = e;
    wire.lane = lane;
    wire.label_x = gap_near_middle(posts, e);
    wires.push_back(wire);
  }
  set_taps(posts, wires, tap_pitch);
  return wires;
}

std::size_t lane_count(const std::vector<Wire>& wires) {
  std::size_t out = 0;
  for (const Wire& wire : wires) out = std::max(out, wire.lane + 1);
  return out;
}

std::string wire_path(const Wire& wire, double y, double lane_y) {
  const double turn = lane_y > y ? corner : -corner;
  return fmt::format(
      "M{:.1f} {:.1f}V{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}H{:.1f}Q{:.1f} {:.1f} {:.1f} "
      "{:.1f}V{:.1f}",
      wire.x1, y, lane_y - turn, wire.x1, lane_y, wire.x1 + corner, lane_y, wire.x2 - corner,
      wire.x2, lane_y, wire.x2, lane_y - turn, y);
}

}  // namespace railgauge::present
