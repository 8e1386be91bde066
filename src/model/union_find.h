// Disjoint sets over 0 … size-1, with path halving.
//   UnionFind sets(4); sets.join(0, 2); sets.find(2) == sets.find(0)
// A set is named by its smallest member.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace railgauge::model {

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : up_(size) { std::iota(up_.begin(), up_.end(), 0u); }

  std::uint32_t find(std::uint32_t x) {
    while (up_[x] != x) x = up_[x] = up_[up_[x]];
    return x;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (b < a) std::swap(a, b);
    up_[b] = a;
  }

 private:
  std::vector<std::uint32_t> up_;
};

}  // namespace railgauge::model
