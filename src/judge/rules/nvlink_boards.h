// What NVLink a GPU's board is sold with, and what a matrix and the driver show of it.
//   if (home_of(patient, machine[gpu]) == NvLinkHome::baseboard) …
// Boards decide, never the chip alone: an A800 has 8 links where an A100 has 12. Pure.
#pragma once

#include <optional>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

enum class NvLinkHome : std::uint8_t {
  unknown,    // the product is not known
  none,       // the board has no NVLink
  bridge,     // a PCIe card: links only where somebody put a bridge on
  module,     // Grace Hopper and the like: links leave the machine, or are not wired
  baseboard,  // an SXM or OAM board: wired, so always there
};
NvLinkHome home_of(const Patient& patient, const model::Device& gpu);

// What matrices, ports and links say about one GPU.
struct NvLinkView {
  bool told = false;  // somebody spoke of this GPU and another
  int sum = 0;        // links over all peers
  int widest = 0;     // of its cells
  int peers = 0;      // GPUs reached by NVLink
  int others = 0;     // GPUs told of that are not
  model::SourceRef source;
};
NvLinkView view_of(const model::Machine& machine, model::DeviceId gpu);

// The cell of a pair in NVLinks: the lower one when both orders differ; nothing when nobody spoke
// of the pair, 0 for a class that is not NV#.
std::optional<int> nvlinks_between(const model::Machine& machine, model::DeviceId a,
                                   model::DeviceId b);

// One direction, of all links together, as the board is sold.
std::optional<BytesPerSecond> sold_rate(const Patient& patient, const model::Device& gpu);

}  // namespace railgauge::judge
