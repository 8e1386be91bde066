#include "observe/nccl_xml/nccl_topo_xml.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/nccl_xml/nccl_context.h"
#include "observe/nccl_xml/nccl_devices.h"
#include "observe/nccl_xml/nccl_links.h"
#include "observe/nccl_xml/nccl_lint.h"
#include "observe/nccl_xml/nccl_vocabulary.h"

namespace railgauge::observe {
namespace {

// Dumps of multi-node NVLink systems hold several hosts; a Machine is one, and NCCL itself loads
// files of one host only.
bool foreign_host(NcclContext& context, pugi::xml_node cpu, std::string& first_host) {
  const auto host = attribute(cpu, "host_hash");
  if (!host) return false;
  if (first_host.empty()) first_host = *host;
  if (first_host == *host) return false;
  context.note_lines(cpu,
                     "this <cpu> belongs to another host than the first one and is left out: "
                     "NCCL loads files of one host only");
  return true;
}

void read_system(NcclContext& context) {
  std::string host;
  check_vocabulary(context, context.xml.root());
  for (const pugi::xml_node child : context.xml.root().children()) {
    if (child.type() != pugi::node_element || !check_vocabulary(context, child)) continue;
    const std::string_view name = child.name();
    if (name == "cpu" && !foreign_host(context, child, host)) read_nccl_cpu(context, child);
    if (name == "pci") read_nccl_pci(context, child, {});
    if (name == "nic") read_nccl_nic(context, child, {}, std::nullopt);
  }
}

// Only CPUs and PCI functions: NCCL adds GPUs and adapters when it reads such a file.
bool is_skeleton(const NcclContext& context) {
  const auto net = [](pugi::xml_node node) { return std::string_view(node.name()) == "net"; };
  return context.gpus.empty() && !context.xml.root().find_node(net);
}

}  // namespace

bool looks_like_nccl_topo_xml(std::string_view bytes) {
  const auto start = find_element(bytes, "system");
  if (!start) return false;
  const std::string_view tag = tag_at(bytes, *start);
  if (contains(tag, "version=")) return true;
  return root_name(bytes.substr(*start + tag.size())) == "cpu";
}

Result<model::Machine> read_nccl_topo_xml(const Input& input) {
  const Result<BoundedXml> xml = parse_xml(input, "system", {});
  if (!xml) return tl::unexpected(Error(xml.error()).because("reading an NCCL topology file"));
  NcclContext context(*xml, input.name);
  read_system(context);
  read_nccl_links(context);
  lint_nccl_topo(context);
  context.tell_file("nccl topology", is_skeleton(context));
  context.flush_notes();
  if (context.machine.devices.empty())
    context.warn(xml->root(), "the file holds no <cpu> and so no device");
  if (const auto second = find_element(input.bytes, "system", xml->end()))
    context.machine.remark(model::RemarkLevel::warning,
                           "a second <system> starts here; only the first was read",
                           context.file.at_line(xml->line_at(*second)));
  return std::move(context.machine);
}

}  // namespace railgauge::observe
