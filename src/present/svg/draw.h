// The parts of the picture, drawn from a finished layout.
#pragma once

#include <string>

#include "present/svg/canvas.h"
#include "present/svg/layout.h"

namespace railgauge::present {

struct Picture {
  const model::Machine& machine;
  const Outline& outline;
  const Fabric& net;
  const Layout& layout;
  Canvas& canvas;
};

void draw_trees(const Picture& picture);
// Links between sockets, in the gaps and above; `headroom_y` is where the highest may run.
void draw_sockets(const Picture& picture);
// The NVLink part below the sockets; returns the y where it ends.
double draw_fabric(const Picture& picture, double y);

// How many lanes the links between sockets that are not neighbours need.
std::size_t socket_lanes(const model::Machine& machine, const Fabric& net, const Outline& outline);

// " degraded", " unknown", " inferred" for the class list.
std::string state_classes(const EdgeWords& edge);

inline constexpr double socket_lane_pitch = 18;
inline constexpr double small_font = 10.5;
inline constexpr double id_font = 13;

}  // namespace railgauge::present
