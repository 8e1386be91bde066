#include "observe/nccl_xml/nccl_lint.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/nccl_xml/cpu_mask.h"

namespace railgauge::observe {
namespace {

void lint_version(NcclContext& context) {
  const pugi::xml_node system = context.xml.root();
  const auto version = attribute(system, "version");
  if (!version)
    context.fault(system, "bad-value", "<system> has no version; NCCL writes 1, RCCL 2");
  else if (*version != "1" && *version != "2")
    context.fault(system, "bad-value",
                  fmt::format("<system version={}>: NCCL writes 1, RCCL 2; NCCL refuses others",
                              quoted(*version)));
}

void lint_size(NcclContext& context) {
  constexpr std::size_t most_nodes = 256;  // MAX_NODES in NCCL's graph/xml.h up to 2.18
  std::size_t count = 0;
  for (pugi::xml_node node = context.xml.root(); node;) {
    if (node.type() == pugi::node_element) ++count;
    if (node.first_child()) {
      node = node.first_child();
      continue;
    }
    while (node != context.xml.root() && !node.next_sibling()) node = node.parent();
    if (node == context.xml.root()) break;
    node = node.next_sibling();
  }
  if (count > most_nodes)
    context.warn(context.xml.root(),
                 fmt::format("{} elements: NCCL's parser may stop at {}", count, most_nodes));
}

// Files for virtual machines that hide their NUMA nodes give every <cpu> the mask of all cores.
bool all_masks_equal(pugi::xml_node system) {
  std::string_view first;
  std::size_t count = 0;
  for (const pugi::xml_node cpu : system.children("cpu")) {
    const std::string_view mask = attribute(cpu, "affinity").value_or("");
    if (count++ == 0) first = mask;
    if (mask.empty() || mask != first) return false;
  }
  return count > 1;
}

// Each CPU belongs to the first <cpu> that names it; one remark for each later one that repeats it.
void lint_affinity(NcclContext& context) {
  if (all_masks_equal(context.xml.root()))
    return context.note_lines(context.xml.root(),
                              "every <cpu> has the same affinity mask: NCCL binds ranks to all "
                              "of its cores");
  std::vector<std::uint32_t> owner_line;  // by CPU; 0 is nobody yet
  for (const pugi::xml_node cpu : context.xml.root().children("cpu")) {
    const auto mask = parse_cpu_mask(attribute(cpu, "affinity").value_or(""));
    if (!mask) continue;
    std::size_t shared = 0;
    std::uint32_t other = 0;
    for (const std::uint32_t number : cpus_of(*mask)) {
      if (number >= owner_line.size()) owner_line.resize(number + 1, 0);
      if (owner_line[number] == 0)
        owner_line[number] = context.xml.line(cpu);
      else if (shared++ == 0)
        other = owner_line[number];
    }
    if (shared > 0)
      context.fault(cpu, "affinity-overlap",
                    fmt::format("affinity: {} CPUs are also in the mask of the <cpu> of line {}",
                                shared, other));
  }
}

// How many links NCCL probes for. Source: NCCL's graph/xml.cc.
int most_nvlinks(int sm) { return sm >= 90 ? 18 : sm >= 80 ? 12 : sm >= 70 ? 6 : 4; }

void lint_nvlink_count(NcclContext& context) {
  for (const NcclGpu& gpu : context.gpus) {
    const auto sm = parse_int(attribute(gpu.node, "sm").value_or(""));
    if (!sm || *sm < 60 || *sm > 1000 || attribute(gpu.node, "gcn")) continue;
    std::int64_t sum = 0;
    for (const pugi::xml_node link : gpu.node.children("nvlink"))
      if (const auto count = parse_int(attribute(link, "count").value_or(""));
          count && *count > 0 && *count < 1 << 20)
        sum += *count;
    const int most = most_nvlinks(static_cast<int>(*sm));
    if (sum > most)
      context.fault(
          gpu.node, "too-many-links",
          fmt::format("{} NVLinks, but a GPU of sm {} has {} at the most", sum, *sm, most));
  }
}

}  // namespace

void lint_nccl_topo(NcclContext& context) {
  lint_version(context);
  lint_size(context);
  lint_affinity(context);
  lint_nvlink_count(context);
}

}  // namespace railgauge::observe
