// Takes one partial description into another: every fact keeps all its claims. Used by join.cpp
// only.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "model/machine.h"

namespace railgauge::observe {

// Renumbers sources and devices of one part into the machine that takes it in.
struct Moved {
  std::vector<std::uint32_t> sources;    // part's source index -> machine's
  std::vector<model::DeviceId> devices;  // part's device -> machine's

  model::SourceRef operator()(model::SourceRef ref) const {
    return {ref.index < sources.size() ? sources[ref.index] : 0, ref.line, ref.trust};
  }
  model::DeviceId operator()(model::DeviceId id) const { return devices[id.value]; }
};

// Everything but the parent, which needs the whole tree.
void merge_device(model::Device& into, const model::Device& from, const Moved& moved);
// Host facts and kernel modules; then what only adds up: variables, events, interrupts.
void merge_host(model::Machine& into, const model::Machine& from, const Moved& moved);
void merge_lists(model::Machine& into, const model::Machine& from, const Moved& moved);
void merge_link(model::Machine& into, const model::Link& from, const Moved& moved);

// Pairs of a machine by their two devices: a matrix of n devices has n(n-1)/2, and Machine::pair()
// looks at each.
class PairIndex {
 public:
  explicit PairIndex(const model::Machine& machine);
  void merge(model::Machine& into, const model::Pair& from, const Moved& moved);

 private:
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

// Says of two kinds of one device which tells more; nothing when they contradict each other.
std::optional<model::DeviceKind> finer_kind(model::DeviceKind a, model::DeviceKind b);

}  // namespace railgauge::observe
