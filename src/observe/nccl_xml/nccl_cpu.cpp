#include <fmt/format.h>

#include "base/strings.h"
#include "observe/nccl_xml/cpu_mask.h"
#include "observe/nccl_xml/nccl_devices.h"
#include "observe/nccl_xml/nccl_vocabulary.h"

namespace railgauge::observe {
namespace {

using model::CpuFacts;
using model::DeviceId;

// NCCL computes familyid = family + (extended family << 4), where the vendors add without the
// shift: an AMD family 25 (15 + 10) appears as 175. Files written by hand say 25. Source:
// ncclTopoGetXmlFromCpu in NCCL's graph/xml.cc.
int true_family(int familyid) {
  const bool shifted = familyid > 0xf && (familyid & 0xf) == 0xf;
  return shifted ? 0xf + (familyid >> 4) : familyid;
}

void read_affinity(NcclContext& context, pugi::xml_node node, DeviceId id) {
  const auto text = attribute(node, "affinity");
  if (!text) return;
  context.keep(id, node, "affinity");
  auto& cpus = context.machine[id].cpu->cpus;
  if (const auto mask = parse_cpu_mask(*text)) {
    cpus.claim(cpu_list(*mask), context.at(node));
    return;
  }
  const bool list = contains(*text, "-");
  std::string why =
      fmt::format("affinity={} is not a hexadecimal mask in comma groups of 32 bits{}",
                  quoted(*text), list ? "; it looks like a CPU list, which NCCL reads as hex" : "");
  cpus.refuse(why, context.at(node));
  context.fault(node, "bad-value", std::move(why));
}

void read_processor(NcclContext& context, pugi::xml_node node, DeviceId id) {
  CpuFacts& cpu = *context.machine[id].cpu;
  const auto here = context.at(node);
  if (const auto arch = attribute(node, "arch"); arch && !arch->empty())
    cpu.architecture.claim(valid_utf8(*arch), here);
  if (const auto vendor = attribute(node, "vendor"); vendor && !vendor->empty()) {
    if (*vendor == "AMD") context.keep(id, node, "vendor");
    cpu.vendor.claim(*vendor == "AMD" ? "AuthenticAMD" : valid_utf8(trim(*vendor)), here);
  }
  if (const auto familyid = number(context, node, "familyid")) {
    const int family = true_family(*familyid);
    if (family != *familyid) context.keep(id, node, "familyid");
    cpu.family.claim(family, here);
  }
  if (const auto modelid = number(context, node, "modelid")) cpu.model.claim(*modelid, here);
}

}  // namespace

void read_nccl_cpu(NcclContext& context, pugi::xml_node node) {
  const auto here = context.at(node);
  const DeviceId id = context.machine.add(model::DeviceKind::numa_node, here);
  NcclPlace place{id, id, number(context, node, "numaid")};
  if (place.numa && *place.numa < 0) {
    context.keep(id, node, "numaid");
    context.machine[id].index.refuse(fmt::format("numaid is {}: no NUMA information", *place.numa),
                                     here);
    context.note_lines(node, "the kernel gave no NUMA node here (numaid below 0)");
    place.numa.reset();
  }
  if (place.numa) context.machine[id].index.claim(*place.numa, here);
  if (place.numa) context.machine[id].numa_node.claim(*place.numa, here);
  read_affinity(context, node, id);
  read_processor(context, node, id);
  context.keep(id, node, "host_hash");
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element || !check_vocabulary(context, child)) continue;
    const std::string_view name = child.name();
    if (name == "pci") read_nccl_pci(context, child, place);
    if (name == "nic") read_nccl_nic(context, child, place, std::nullopt);
  }
}

}  // namespace railgauge::observe
