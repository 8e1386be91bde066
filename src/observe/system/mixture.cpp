#include "observe/system/mixture.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace railgauge::observe {

std::string mixture(const Tally& tally) {
  if (tally.size() == 1) return tally.begin()->first;
  std::vector<std::pair<std::string, int>> kinds(tally.begin(), tally.end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (const auto& [name, count] : kinds)
    out += (out.empty() ? "" : ", ") + name + " ×" + std::to_string(count);
  return out;
}

}  // namespace railgauge::observe
