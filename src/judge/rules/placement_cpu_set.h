// A set of CPU or NUMA node numbers, as the kernel and nvidia-smi write them.
//   const auto cpus = CpuSet::parse("0-47,96-143");   // nothing when it is no such list
//   cpus->count(), cpus->meets(other), cpus->within(other), cpus->text()
// Ranges are sorted and do not touch. Numbers above most_cpu make the whole text unusable.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railgauge::judge {

class CpuSet {
 public:
  static constexpr int most_cpu = 1 << 16;
  static constexpr std::size_t most_ranges = 8192;

  static std::optional<CpuSet> parse(std::string_view text);

  void add(int first, int last);
  void add(const CpuSet& other);
  bool empty() const { return ranges_.empty(); }
  int count() const;
  bool has(int cpu) const;
  bool meets(const CpuSet& other) const;   // a number in common
  bool within(const CpuSet& other) const;  // nothing beside it
  std::string text() const;                // "0-47,96-143"

  friend bool operator==(const CpuSet&, const CpuSet&) = default;

 private:
  std::vector<std::pair<int, int>> ranges_;
};

}  // namespace railgauge::judge
