// One path, hop by hop.
#include <fmt/format.h>

#include <algorithm>

#include "model/groups.h"
#include "model/paths.h"
#include "present/path_facts.h"
#include "present/text/footnotes.h"
#include "present/text/tree_parts.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;
using model::SmiClass;

std::string meaning(SmiClass kind) {
  switch (kind) {
    case SmiClass::self: return "the same device";
    case SmiClass::nv: return "NVLink";
    case SmiClass::pix: return "at most one PCIe switch between them";
    case SmiClass::pxb: return "several PCIe switches, no host bridge";
    case SmiClass::phb: return "through one PCIe host bridge of the CPU";
    case SmiClass::node: return "through several host bridges of one NUMA node";
    case SmiClass::sys: return "through the link between NUMA nodes";
  }
  return "";
}

// nvidia-smi has no word for these; its class then speaks of the PCIe tree, which the data does not
// take.
std::string other_way(const Machine& machine, const model::Path& path) {
  for (const auto& hop : path.hops) {
    const model::LinkKind kind = machine.links[hop.link].kind;
    if (kind == model::LinkKind::xgmi) return "xGMI";
    if (kind == model::LinkKind::c2c) return "NVLink-C2C";
  }
  return "";
}

void write_classes(Page& page, const Machine& machine, const model::Path& path, DeviceId from,
                   DeviceId to) {
  const auto smi = model::smi_class(machine, from, to);
  std::string class_words =
      smi ? smi->text() + ": " + meaning(smi->kind) : "unknown: " + clean(smi.why());
  if (const std::string way = other_way(machine, path); !way.empty())
    class_words = "the data takes " + way + "; by the PCIe tree " + class_words;
  page.prose({{"class     ", Ink::dim}}, {{"          "}}, class_words, Ink::plain);
  const auto nccl = model::nccl_path(machine, from, to, shown_nccl);
  std::string words = nccl ? std::string(text(*nccl)) : "unknown: " + clean(nccl.why());
  const auto assumed = model::nccl_bandwidth(machine, from, to, shown_nccl);
  if (nccl && assumed) words += ", it assumes " + text(*assumed);
  page.prose({{"NCCL 2.28 ", Ink::dim}}, {{"          "}}, words, Ink::plain);
}

std::string numa_words(const Machine& machine, DeviceId from, DeviceId to) {
  const auto aligned = model::numa_aligned(machine, from, to);
  if (!aligned) return "unknown: " + clean(aligned.why());
  if (*aligned)
    return machine[from].numa_node ? fmt::format("both on node {}", *machine[from].numa_node)
                                   : "both on the same node";
  if (!machine[from].numa_node || !machine[to].numa_node) return "crosses NUMA nodes";
  return fmt::format("crosses from node {} to node {}", *machine[from].numa_node,
                     *machine[to].numa_node);
}

// The wire behind a NIC can be slower than the path to it.
void write_ports(Page& page, const Machine& machine, const model::Path& path, DeviceId from,
                 DeviceId to) {
  for (const DeviceId end : {from, to}) {
    if (!machine[end].nic) continue;
    for (const auto& port : machine[end].nic->ports) {
      if (!port.rate) continue;
      const bool narrower = path.as_found && port.rate->value < path.as_found->value;
      page.prose({{"port      ", Ink::dim}}, {{"          "}},
                 id_of(machine, end) + " " + port_words(port) +
                     (narrower ? ", less than the path to it" : ""),
                 Ink::plain);
    }
  }
}

void write_rate(Page& page, const model::Path& path) {
  std::string words = rate_words(path.as_found, path.nominal);
  const bool below = words.find(" of ") != std::string::npos;
  if (words.empty()) words = "unknown: " + clean(path.as_found.why());
  page.prose({{"rate      ", Ink::dim}}, {{"          "}}, words, below ? Ink::red : Ink::plain);
}

void write_hops(Page& page, const Machine& machine, const model::Path& path, Footnotes& notes) {
  std::size_t widest = 0;
  for (const auto& hop : path.hops) {
    widest = std::max(
        {widest, display_width(id_of(machine, hop.from)), display_width(id_of(machine, hop.to))});
  }
  const auto name = [&](DeviceId id) {
    return Line{{"  "},
                {padded(id_of(machine, id), widest + 2), Ink::bold},
                {address_of(machine[id]), Ink::dim}};
  };
  // Over several NVSwitch chips at once: the chips are one stop, and each edge is the sum.
  const Fabric net = path.parallel.empty() ? Fabric{} : fabric(machine);
  const auto bond_of = [&](const model::Hop& hop) {
    const auto at = net.to_switch.find(hop.from.value);
    return at != net.to_switch.end() ? at : net.to_switch.find(hop.to.value);
  };
  for (std::size_t i = 0; i < path.hops.size(); ++i) {
    const auto& hop = path.hops[i];
    const bool chips = !path.parallel.empty() && machine[hop.from].kind == DeviceKind::nvswitch;
    page.add(chips ? Line{{"  "}, {switches_words(machine, net), Ink::bold}} : name(hop.from));
    const model::Link& link = machine.links[hop.link];
    const auto bond = bond_of(hop);
    Span edge =
        edge_span(bond != net.to_switch.end() ? bond->second.words() : edge_words(link), notes);
    if (edge.text.empty()) edge = {"inside the chip", Ink::dim};
    Line line{{"  │ ", Ink::dim}, edge};
    if (link.kind == model::LinkKind::socket)
      line.push_back({"  between the sockets", Ink::yellow});
    if (link.kind == model::LinkKind::mesh)
      line.push_back({"  between the NUMA nodes", Ink::yellow});
    if (path.bottleneck == i) line.push_back({"  ← bottleneck", Ink::yellow});
    page.add(std::move(line));
  }
  if (!path.hops.empty()) page.add(name(path.hops.back().to));
}

}  // namespace

Result<std::string> text_path(const Machine& machine, DeviceId from, DeviceId to,
                              const Style& style) {
  if (from.value >= machine.devices.size() || to.value >= machine.devices.size())
    return fail(ErrorKind::usage, "no such device in this machine");
  auto path = model::best_path(machine, from, to);
  if (!path)
    return tl::unexpected(
        std::move(path.error())
            .because("the path from " + id_of(machine, from) + " to " + id_of(machine, to)));
  Page page(style);
  Footnotes notes;
  page.add({{id_of(machine, from), Ink::bold}, {" → "}, {id_of(machine, to), Ink::bold}});
  write_classes(page, machine, *path, from, to);
  write_rate(page, *path);
  write_ports(page, machine, *path, from, to);
  page.prose({{"NUMA      ", Ink::dim}}, {{"          "}}, numa_words(machine, from, to),
             Ink::plain);
  page.blank();
  write_hops(page, machine, *path, notes);
  notes.write(page);
  return page.text();
}

}  // namespace railgauge::present
