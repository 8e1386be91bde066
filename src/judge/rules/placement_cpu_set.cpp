#include "judge/rules/placement_cpu_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::judge {
namespace {

std::optional<int> number(std::string_view text) {
  const auto value = parse_int(trim(text));
  if (!value || *value < 0 || *value > CpuSet::most_cpu) return std::nullopt;
  return static_cast<int>(*value);
}

}  // namespace

std::optional<CpuSet> CpuSet::parse(std::string_view text) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  const auto parts = split(text, ',');
  if (parts.size() > most_ranges) return std::nullopt;
  CpuSet out;
  for (const std::string_view part : parts) {
    const auto dash = part.find('-');
    const auto first = number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    out.ranges_.emplace_back(*first, *last);
  }
  std::sort(out.ranges_.begin(), out.ranges_.end());
  std::vector<std::pair<int, int>> joined;
  for (const auto& range : out.ranges_) {
    if (!joined.empty() && range.first <= joined.back().second + 1)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  }
  out.ranges_ = std::move(joined);
  return out;
}

void CpuSet::add(int first, int last) {
  std::vector<std::pair<int, int>> out;
  for (const auto& range : ranges_) {
    if (range.second + 1 < first || last + 1 < range.first) {
      out.push_back(range);
    } else {
      first = std::min(first, range.first);
      last = std::max(last, range.second);
    }
  }
  out.emplace_back(first, last);
  std::sort(out.begin(), out.end());
  ranges_ = std::move(out);
}

void CpuSet::add(const CpuSet& other) {
  for (const auto& range : other.ranges_) add(range.first, range.second);
}

int CpuSet::count() const {
  int sum = 0;
  for (const auto& range : ranges_) sum += range.second - range.first + 1;
  return sum;
}

bool CpuSet::has(int cpu) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [cpu](const auto& range) {
    return range.first <= cpu && cpu <= range.second;
  });
}

bool CpuSet::meets(const CpuSet& other) const {
  for (std::size_t i = 0, j = 0; i < ranges_.size() && j < other.ranges_.size();) {
    if (ranges_[i].second < other.ranges_[j].first)
      ++i;
    else if (other.ranges_[j].second < ranges_[i].first)
      ++j;
    else
      return true;
  }
  return false;
}

bool CpuSet::within(const CpuSet& other) const {
  return std::all_of(ranges_.begin(), ranges_.end(), [&](const auto& mine) {
    return std::any_of(other.ranges_.begin(), other.ranges_.end(), [&](const auto& theirs) {
      return theirs.first <= mine.first && mine.second <= theirs.second;
    });
  });
}

std::string CpuSet::text() const {
  std::string out;
  for (const auto& range : ranges_) {
    if (!out.empty()) out += ',';
    out += range.first == range.second ? std::to_string(range.first)
                                       : fmt::format("{}-{}", range.first, range.second);
  }
  return out;
}

}  // namespace railgauge::judge
