// How often each key was counted: a table of one flat piece of memory, since millions of lines hit
// it in any order. Keys are not zero; there is no taking away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railgauge::observe {

class WayCounts {
 public:
  // The count of a key that is there, or nullptr. Good until the next `add`.
  std::uint64_t* find(std::uint64_t key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = place(key);
    return slot.key == 0 ? nullptr : &slot.count;
  }
  void add(std::uint64_t key, std::uint64_t count) {  // that is not there yet
    if (used_ * 2 >= slots_.size()) grow();
    place(key) = {key, count};
    ++used_;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t count = 0;
  };

  Slot& place(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    // Knuth's multiplicative hash: the high bits are the good ones.
    std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15) >> 20) & mask;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.key != 0) place(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace railgauge::observe
