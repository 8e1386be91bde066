#include <fmt/format.h>

#include <vector>

#include "base/strings.h"
#include "observe/hwloc/hwloc_context.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::LinkKind;

struct Matrix {
  std::vector<std::optional<DeviceId>> devices;
  std::vector<std::int64_t> values;  // row by row
  std::int64_t at(std::size_t row, std::size_t column) const {
    return values[row * devices.size() + column];
  }
};

// The words of all children of one name: long lists are split over several.
std::vector<std::string_view> words_of(pugi::xml_node node, const char* child_name) {
  std::vector<std::string_view> words;
  for (const pugi::xml_node child : node.children(child_name))
    for (const std::string_view word : split_blank(child.child_value())) words.push_back(word);
  return words;
}

// An index is an os_index of a NUMA node, or a gp_index, with the type in front where types mix.
std::optional<DeviceId> device_of(const HwlocContext& context, std::string_view word,
                                  bool numa_by_os_index) {
  if (const auto colon = word.find(':'); colon != std::string_view::npos)
    word = word.substr(colon + 1);
  if (!numa_by_os_index) {
    const auto found = context.by_gp_index.find(std::string(word));
    if (found == context.by_gp_index.end()) return std::nullopt;
    return found->second;
  }
  const auto index = parse_int(word);
  if (!index || *index < 0 || *index > 1'000'000) return std::nullopt;
  const auto found = context.numa_nodes.find(static_cast<int>(*index));
  if (found == context.numa_nodes.end()) return std::nullopt;
  return found->second;
}

std::optional<Matrix> read_matrix(HwlocContext& context, pugi::xml_node node) {
  const bool by_os_index = std::string_view(node.attribute("type").value()) == "NUMANode" &&
                           std::string_view(node.attribute("indexing").value()) == "os";
  Matrix matrix;
  for (const std::string_view word : words_of(node, "indexes"))
    matrix.devices.push_back(device_of(context, word, by_os_index));
  for (const std::string_view word : words_of(node, "u64values"))
    matrix.values.push_back(parse_int(word).value_or(-1));
  const std::size_t n = matrix.devices.size();
  if (n == 0 || n > 4096 || matrix.values.size() != n * n) {
    context.warn(node,
                 fmt::format("matrix {} has {} objects but {} values; left out",
                             quoted(node.attribute("name").value()), n, matrix.values.size()));
    return std::nullopt;
  }
  return matrix;
}

void claim_latencies(HwlocContext& context, pugi::xml_node node, const Matrix& matrix) {
  for (std::size_t row = 0; row < matrix.devices.size(); ++row) {
    if (!matrix.devices[row] || !context.machine[*matrix.devices[row]].cpu) continue;
    std::vector<int> distances;
    for (std::size_t column = 0; column < matrix.devices.size(); ++column) {
      const std::int64_t value = matrix.at(row, column);
      if (value < 0 || value > 1'000'000) return;
      distances.push_back(static_cast<int>(value));
    }
    context.machine[*matrix.devices[row]].cpu->distances.claim(std::move(distances),
                                                               context.at(node));
  }
}

// hwloc tells MB/s from one device to the other, summed over the links, and not how many there are.
void add_links(HwlocContext& context, pugi::xml_node node, const Matrix& matrix, LinkKind kind) {
  constexpr std::size_t most_devices = 256;
  if (matrix.devices.size() > most_devices)
    return context.warn(
        node, fmt::format("more than {} devices joined by links; left out", most_devices));
  for (std::size_t row = 0; row < matrix.devices.size(); ++row) {
    for (std::size_t column = row + 1; column < matrix.devices.size(); ++column) {
      const std::int64_t rate = matrix.at(row, column);
      const auto a = matrix.devices[row];
      const auto b = matrix.devices[column];
      if (!a || !b || *a == *b || rate <= 0) continue;
      if (rate != matrix.at(column, row))
        context.warn(node, fmt::format("bandwidths {} and {} of one pair differ", rate,
                                       matrix.at(column, row)));
      model::Link link;
      link.a = *a;
      link.b = *b;
      link.kind = kind;
      link.as_found = BytesPerSecond{static_cast<double>(rate) * 1e6};
      link.source = context.at(node);
      context.machine.links.push_back(std::move(link));
    }
  }
}

// Format 1: <distances nbobjs="2" relative_depth="1" latency_base="10"><latency value="1"/>…, below
// the object whose descendants it orders. Only whole-machine NUMA matrices are taken.
void read_format_1(HwlocContext& context, pugi::xml_node node) {
  const auto base = parse_double(node.attribute("latency_base").value());
  std::vector<double> values;
  for (const pugi::xml_node latency : node.children("latency"))
    values.push_back(parse_double(latency.attribute("value").value()).value_or(-1));
  const std::size_t n = context.numa_nodes.size();
  if (!base || n == 0 || n > 4096 || values.size() != n * n) {
    context.warn(node, "distances of format 1 that are not between all NUMA nodes; left out");
    return;
  }
  std::size_t row = 0;
  for (const auto& [index, id] : context.numa_nodes) {
    std::vector<int> distances;
    for (std::size_t column = 0; column < n; ++column) {
      const double value = values[row * n + column] * *base;
      if (!(value >= 0 && value < 1e6)) return;
      distances.push_back(static_cast<int>(value + 0.5));
    }
    context.machine[id].cpu->distances.claim(std::move(distances), context.at(node));
    ++row;
  }
}

}  // namespace

void read_hwloc_distances(HwlocContext& context) {
  for (const pugi::xml_node node : context.xml.root().children()) {
    const std::string_view tag = node.name();
    if (tag != "distances2" && tag != "distances2hetero") continue;
    const std::string_view name = node.attribute("name").value();
    const auto matrix = read_matrix(context, node);
    if (!matrix) continue;
    if (name == "NUMALatency") claim_latencies(context, node, *matrix);
    if (name == "NVLinkBandwidth") add_links(context, node, *matrix, LinkKind::nvlink);
    if (name == "XGMIBandwidth") add_links(context, node, *matrix, LinkKind::xgmi);
  }
  for (const pugi::xml_node node : context.xml.root().child("object").children("distances"))
    read_format_1(context, node);
}

}  // namespace railgauge::observe
