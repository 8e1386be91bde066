// One property of a device, with everything anybody said about it.
//   gpu.numa_node.claim(1, here);
//   gpu.numa_node.reading()        // 1, or unknown with a reason
//   gpu.numa_node.disputed()       // true when two sources say different things
// Claims are kept strongest first; among equals the first one said stays first.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/boxed.h"
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

// Nearly every fact of a machine has one claim and no refusal, and a machine has ten thousand: that
// one lies in the fact itself.
template <class T>
class Fact {
 public:
  void claim(T value, SourceRef source) {
    if (std::holds_alternative<Nothing>(said_)) {
      said_.template emplace<Claim<T>>(Claim<T>{std::move(value), source});
      return;
    }
    for (const auto& c : claims())
      if (c.value == value && c.source == source) return;
    auto& all = many().claims;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const Claim<T>& c) { return c.source.trust < source.trust; });
    all.insert(at, Claim<T>{std::move(value), source});
  }
  void refuse(std::string why, SourceRef source) {
    many().refusals.push_back({std::move(why), source});
  }

  bool known() const { return !claims().empty(); }
  explicit operator bool() const { return known(); }
  const T& operator*() const { return claims().front().value; }  // only when known
  const T* operator->() const { return &claims().front().value; }
  T value_or(T other) const { return known() ? **this : std::move(other); }
  SourceRef source() const { return known() ? claims().front().source : SourceRef{}; }
  bool inferred() const { return known() && claims().front().source.trust <= Trust::inferred; }

  Reading<T> reading() const {
    if (known()) return claims().front().value;
    if (!refusals().empty()) return Reading<T>::failed(refusals().front().why);
    return Reading<T>::not_reported();
  }

  // Two sources above the rank of a guess say different things.
  bool disputed() const {
    const auto all = claims();
    return all.size() > 1 && std::any_of(all.begin(), all.end(), [&](const Claim<T>& c) {
             return c.source.trust > Trust::inferred && !(c.value == all.front().value);
           });
  }

  // Valid until the next claim or refusal.
  std::span<const Claim<T>> claims() const {
    if (const auto* one = std::get_if<Claim<T>>(&said_)) return {one, 1};
    if (const auto* box = std::get_if<Boxed<Many>>(&said_); box && *box) return (*box)->claims;
    return {};
  }
  std::span<const Refusal> refusals() const {
    if (const auto* box = std::get_if<Boxed<Many>>(&said_); box && *box) return (*box)->refusals;
    return {};
  }

  // Takes over what `other` says, its sources renumbered by `move` (SourceRef -> SourceRef).
  template <class Move>
  void merge(const Fact& other, Move&& move) {
    for (const auto& c : other.claims()) claim(c.value, move(c.source));
    for (const auto& r : other.refusals()) refuse(r.why, move(r.source));
  }

  friend bool operator==(const Fact& a, const Fact& b) {
    return std::ranges::equal(a.claims(), b.claims()) &&
           std::ranges::equal(a.refusals(), b.refusals());
  }

 private:
  using Nothing = std::monostate;
  struct Many {
    std::vector<Claim<T>> claims;
    std::vector<Refusal> refusals;
  };

  Many& many() {
    if (auto* box = std::get_if<Boxed<Many>>(&said_); box && *box) return **box;
    Boxed<Many> box{Many{}};
    if (auto* one = std::get_if<Claim<T>>(&said_)) box->claims.push_back(std::move(*one));
    return *said_.template emplace<Boxed<Many>>(std::move(box));
  }

  std::variant<Nothing, Claim<T>, Boxed<Many>> said_;
};

}  // namespace railgauge::model
