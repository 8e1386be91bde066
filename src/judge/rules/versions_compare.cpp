#include "judge/rules/versions_compare.h"

#include <algorithm>

#include "base/characters.h"

namespace railgauge::judge {

std::vector<std::uint64_t> version_numbers(std::string_view text) {
  constexpr std::size_t most = 8;
  constexpr std::uint64_t largest = 1'000'000'000'000;
  std::vector<std::uint64_t> out;
  std::size_t at = 0;
  while (at < text.size() && !is_digit(text[at])) ++at;
  while (at < text.size() && is_digit(text[at]) && out.size() < most) {
    std::uint64_t number = 0;
    for (; at < text.size() && is_digit(text[at]); ++at)
      number = std::min(largest, number * 10 + static_cast<std::uint64_t>(text[at] - '0'));
    out.push_back(number);
    if (at < text.size() && (text[at] == '.' || text[at] == '-' || text[at] == '_')) ++at;
  }
  return out;
}

bool version_less(std::string_view a, std::string_view b) {
  auto left = version_numbers(a);
  auto right = version_numbers(b);
  const std::size_t size = std::max(left.size(), right.size());
  left.resize(size, 0);
  right.resize(size, 0);
  return left < right;
}

bool version_in(std::string_view version, std::string_view from, std::string_view to) {
  if (from.empty() && to.empty()) return true;
  if (version_numbers(version).empty()) return false;
  return (from.empty() || !version_less(version, from)) &&
         (to.empty() || version_less(version, to));
}

}  // namespace railgauge::judge
