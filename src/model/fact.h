// One property of a device, with everything anybody said about it.
//   gpu.numa_node.claim(1, here);
//   gpu.numa_node.reading()        // 1, or unknown with a reason
//   gpu.numa_node.disputed()       // true when two sources say different things
// Claims are kept strongest first; among equals the first one said stays first.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/reading.h"
#include "model/source.h"

namespace railgauge::model {

template <class T>
struct Claim {
  T value;
  SourceRef source;
  friend bool operator==(const Claim&, const Claim&) = default;
};

// Somebody looked and could not read it.
struct Refusal {
  std::string why;
  SourceRef source;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

template <class T>
class Fact {
 public:
  void claim(T value, SourceRef source) {
    for (const auto& c : claims_)
      if (c.value == value && c.source == source) return;
    const auto at = std::find_if(claims_.begin(), claims_.end(),
                                 [&](const Claim<T>& c) { return c.source.trust < source.trust; });
    claims_.insert(at, Claim<T>{std::move(value), source});
  }
  void refuse(std::string why, SourceRef source) { refusals_.push_back({std::move(why), source}); }

  bool known() const { return !claims_.empty(); }
  explicit operator bool() const { return known(); }
  const T& operator*() const { return claims_.front().value; }  // only when known
  const T* operator->() const { return &claims_.front().value; }
  T value_or(T other) const { return known() ? **this : std::move(other); }
  SourceRef source() const { return known() ? claims_.front().source : SourceRef{}; }
  bool inferred() const { return known() && claims_.front().source.trust <= Trust::inferred; }

  Reading<T> reading() const {
    if (known()) return claims_.front().value;
    if (!refusals_.empty()) return Reading<T>::failed(refusals_.front().why);
    return Reading<T>::not_reported();
  }

  // Two sources above the rank of a guess say different things.
  bool disputed() const {
    return std::any_of(claims_.begin(), claims_.end(), [&](const Claim<T>& c) {
      return c.source.trust > Trust::inferred && !(c.value == claims_.front().value);
    });
  }

  const std::vector<Claim<T>>& claims() const { return claims_; }
  const std::vector<Refusal>& refusals() const { return refusals_; }

  // Takes over what `other` says, its sources renumbered by `move` (SourceRef -> SourceRef).
  template <class Move>
  void merge(const Fact& other, Move&& move) {
    for (const auto& c : other.claims_) claim(c.value, move(c.source));
    for (const auto& r : other.refusals_) refuse(r.why, move(r.source));
  }

  friend bool operator==(const Fact&, const Fact&) = default;

 private:
  std::vector<Claim<T>> claims_;
  std::vector<Refusal> refusals_;
};

}  // namespace railgauge::model
