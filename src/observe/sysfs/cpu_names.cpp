#include "observe/sysfs/cpu_names.h"

#include <string>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// Above the largest CPU and node counts a kernel is built for.
constexpr std::int64_t most = 1 << 20;

std::optional<int> small_number(std::string_view text) {
  if (text.empty() || text.size() > 7 || text[0] < '0' || text[0] > '9') return std::nullopt;
  const auto value = parse_int(text);
  if (!value || *value < 0 || *value > most) return std::nullopt;
  return static_cast<int>(*value);
}

}  // namespace

std::optional<int> node_number(std::string_view name) {
  if (!name.starts_with("node")) return std::nullopt;
  const auto number = small_number(name.substr(4));
  if (!number || "node" + std::to_string(*number) != name) return std::nullopt;
  return number;
}

std::optional<int> first_cpu(std::string_view cpulist) {
  cpulist = trim(cpulist);
  return small_number(cpulist.substr(0, cpulist.find_first_of(",-")));
}

}  // namespace railgauge::observe
