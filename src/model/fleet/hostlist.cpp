#include "model/fleet/hostlist.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "base/strings.h"

namespace railgauge::model {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t longest_number = 18;  // of what fits into 64 bits

// What stands around the last number, and how many digits it is written with when it is padded.
using Form = std::tuple<std::string, std::string, std::size_t>;

std::string padded(std::uint64_t number, std::size_t width) {
  std::string out = std::to_string(number);
  return out.size() < width ? std::string(width - out.size(), '0') + out : out;
}

std::string ranges(std::vector<std::uint64_t> numbers, std::size_t width) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    out += (out.empty() ? "" : ",") + padded(numbers[i], width);
    if (end > i) out += (end == i + 1 ? "," : "-") + padded(numbers[end], width);
    i = end + 1;
  }
  return out;
}

}  // namespace

std::string hostlist(const std::vector<std::string>& names) {
  std::map<Form, std::vector<std::uint64_t>> numbered;
  std::map<std::string, std::size_t> plain;
  for (const std::string& name : names) {
    const auto last = name.find_last_of(digits);
    const auto before = last == name.npos ? name.npos : name.find_last_not_of(digits, last);
    const std::size_t first = before == name.npos ? 0 : before + 1;
    const auto number = last == name.npos || last - first >= longest_number
                            ? std::nullopt
                            : parse_int(std::string_view(name).substr(first, last - first + 1));
    if (!number) {
      ++plain[name];
      continue;
    }
    const std::size_t width = name[first] == '0' ? last - first + 1 : 0;
    // "node010" and "node100" are written alike: with three digits.
    numbered[{name.substr(0, first), name.substr(last + 1), width}].push_back(
        static_cast<std::uint64_t>(*number));
  }
  // Numbers as wide as padded ones belong to these.
  for (auto& [form, numbers] : numbered) {
    const auto& [head, tail, width] = form;
    if (width == 0) continue;
    const auto unpadded = numbered.find({head, tail, 0});
    if (unpadded == numbered.end()) continue;
    std::vector<std::uint64_t> rest;
    for (const std::uint64_t number : unpadded->second)
      (std::to_string(number).size() == width ? numbers : rest).push_back(number);
    unpadded->second = std::move(rest);
  }
  std::string out;
  for (const auto& [form, numbers] : numbered) {
    if (numbers.empty()) continue;
    const auto& [head, tail, width] = form;
    const std::string inside = ranges(numbers, width);
    const bool one = inside.find_first_not_of(digits) == inside.npos;
    out += (out.empty() ? "" : ",") + head + (one ? inside : "[" + inside + "]") + tail;
  }
  for (const auto& [name, count] : plain) out += (out.empty() ? "" : ",") + name;
  return out;
}

}  // namespace railgauge::model
