#include "observe/nccl_xml/nccl_graph_xml.h"

#include <fmt/format.h>

#include <iterator>

#include "base/strings.h"
#include "observe/nccl_xml/nccl_context.h"

namespace railgauge::observe {
namespace {

// Source: NCCL_TOPO_PATTERN_* in NCCL's include/graph.h.
std::string_view pattern_name(std::string_view number) {
  if (number == "1") return "balanced tree";
  if (number == "2") return "split tree";
  if (number == "3") return "tree";
  if (number == "4") return "ring";
  if (number == "5") return "NVLS";
  if (number == "6") return "CollNet direct";
  return "unknown pattern";
}

std::string cell(pugi::xml_node node, const char* name) {
  const auto text = attribute(node, name);
  return text ? valid_utf8(*text) : std::string("unknown");
}

std::string summary(pugi::xml_node graph) {
  const auto channels =
      std::distance(graph.children("channel").begin(), graph.children("channel").end());
  return fmt::format(
      "graph {}: {}, {} channels listed, nchannels {}, speed {} GB/s inside the node ({}), {} GB/s "
      "between nodes ({})",
      cell(graph, "id"), pattern_name(cell(graph, "pattern")), channels, cell(graph, "nchannels"),
      cell(graph, "speedintra"), cell(graph, "typeintra"), cell(graph, "speedinter"),
      cell(graph, "typeinter"));
}

}  // namespace

bool looks_like_nccl_graph_xml(std::string_view bytes) {
  const auto start = find_element(bytes, "graphs");
  return start && (contains(tag_at(bytes, *start), "version=") ||
                   find_element(bytes, "channel", *start).has_value());
}

Result<model::Machine> read_nccl_graph_xml(const Input& input) {
  const Result<BoundedXml> xml = parse_xml(input, "graphs", {});
  if (!xml) return tl::unexpected(Error(xml.error()).because("reading an NCCL graph file"));
  NcclContext context(*xml, input.name);
  context.warn(xml->root(),
               "this is NCCL_GRAPH_FILE content: the channels NCCL chose. It holds no devices; "
               "NCCL_TOPO_DUMP_FILE writes the topology");
  for (const pugi::xml_node graph : xml->root().children("graph"))
    context.machine.remark(model::RemarkLevel::note, summary(graph), context.at(graph));
  context.tell_file("nccl graph", false);
  return std::move(context.machine);
}

}  // namespace railgauge::observe
