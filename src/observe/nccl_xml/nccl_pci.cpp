#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/nccl_xml/nccl_devices.h"
#include "observe/nccl_xml/nccl_vocabulary.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::PciAddress;
using model::PciClass;
using model::PciId;

// The speed strings that NCCL compares letter by letter; any other becomes Gen3 without a message.
// Source: kvDictPciGen in NCCL's graph/topo.cc.
constexpr std::array<std::string_view, 15> nccl_speeds{
    "2.5 GT/s",       "5 GT/s",         "8 GT/s",        "16 GT/s",       "32 GT/s",
    "64 GT/s",        "2.5 GT/s PCIe",  "5.0 GT/s PCIe", "8.0 GT/s PCIe", "16.0 GT/s PCIe",
    "32.0 GT/s PCIe", "64.0 GT/s PCIe", "5 GT/s PCIe",   "8 GT/s PCIe",   "16 GT/s PCIe"};

std::optional<PciClass> pci_class(pugi::xml_node node) {
  const auto text = attribute(node, "class");
  if (!text) return std::nullopt;
  const auto code = parse_hex(*text);
  if (!code || *code > 0xffffff) return std::nullopt;
  return PciClass{static_cast<std::uint32_t>(*code)};
}

DeviceKind kind_of(pugi::xml_node node) {
  if (node.child("gpu")) return DeviceKind::gpu;
  if (node.child("nic")) return DeviceKind::nic;
  const bool has_children = static_cast<bool>(node.child("pci"));
  const auto code = pci_class(node);
  if (!code) return has_children ? DeviceKind::pcie_bridge : DeviceKind::other;
  // A switch with children is named by its upstream port: NCCL leaves out the downstream ports.
  if (code->is_pci_bridge())
    return has_children ? DeviceKind::pcie_switch : DeviceKind::pcie_bridge;
  if (code->is_display() || code->base() == 0x12) return DeviceKind::gpu;
  if (code->is_other_bridge()) return DeviceKind::nvswitch;
  if (code->is_network()) return DeviceKind::nic;
  if (code->is_nvme()) return DeviceKind::nvme;
  return DeviceKind::other;
}

// The device at this busid: a new one, or the one that already has the address.
DeviceId device_of(NcclContext& context, pugi::xml_node node, DeviceKind kind) {
  const std::string_view busid = attribute(node, "busid").value_or("");
  const auto address = PciAddress::parse(busid);
  if (address) {
    const auto found = context.by_address.find(*address);
    if (found != context.by_address.end()) {
      context.fault(node, "duplicate-busid",
                    fmt::format("busid {} stands in the file twice; the first place is kept",
                                address->text()));
      return found->second;
    }
  }
  const DeviceId id = context.machine.add(kind, context.at(node));
  context.keep(id, "busid", std::string(busid), node);
  if (!address) {
    context.fault(
        node, "bad-busid",
        fmt::format("busid={} is not a PCI address (domain:bus:device.function)", quoted(busid)));
    return id;
  }
  if (lower(busid) != busid)
    context.fault(node, "bad-busid",
                  fmt::format("busid={} has upper-case letters: NCCL compares with the kernel's "
                              "lower-case names and will not find it",
                              quoted(busid)));
  context.machine[id].address.claim(*address, context.at(node));
  context.by_address.emplace(*address, id);
  return id;
}

// vendor/device pairs. 0xffff and 0x0000 are what people write when they do not know.
void read_id(NcclContext& context, pugi::xml_node node, DeviceId id, const char* vendor_name,
             const char* device_name, model::Fact<PciId>& fact) {
  const auto vendor_text = attribute(node, vendor_name);
  const auto device_text = attribute(node, device_name);
  if (!vendor_text && !device_text) return;
  const auto vendor = parse_hex(vendor_text.value_or(""));
  const auto device = parse_hex(device_text.value_or(""));
  const bool valid = vendor && device && *vendor <= 0xffff && *device <= 0xffff;
  const bool placeholder = valid && (*vendor == 0xffff || *vendor == 0);
  if (valid && !placeholder) {
    fact.claim({static_cast<std::uint16_t>(*vendor), static_cast<std::uint16_t>(*device)},
               context.at(node));
    return;
  }
  context.keep(id, node, vendor_name);
  context.keep(id, node, device_name);
  if (placeholder)
    fact.refuse(fmt::format("{} is a placeholder", *vendor_text), context.at(node));
  else
    context.fault(node, "bad-value",
                  fmt::format("{}={} {}={} are not two 16-bit hexadecimal numbers", vendor_name,
                              quoted(vendor_text.value_or("")), device_name,
                              quoted(device_text.value_or(""))));
}

void read_speed(NcclContext& context, pugi::xml_node node, DeviceId id) {
  const auto text = attribute(node, "link_speed");
  if (!text) return;
  auto& fact = context.machine[id].pci->link.current_speed;
  const auto speed = model::PcieSpeed::parse(*text);
  if (std::find(nccl_speeds.begin(), nccl_speeds.end(), *text) == nccl_speeds.end()) {
    if (trim(*text).empty())
      context.note_fault(node, "missing-link-speed",
                         "link_speed is empty, so the speed is unknown: NCCL would assume "
                         "Gen3 (8 GT/s)");
    else
      context.fault(node, "bad-value",
                    fmt::format("link_speed={} is not one of the strings NCCL knows (such as "
                                "\"16.0 GT/s PCIe\"): it would assume Gen3",
                                quoted(*text)));
  }
  if (speed) return fact.claim(*speed, context.at(node));
  context.keep(id, node, "link_speed");
  fact.refuse(trim(*text).empty() ? "link_speed is empty; NCCL would assume Gen3"
                                  : fmt::format("link_speed={} has no rate", quoted(*text)),
              context.at(node));
}

void read_width(NcclContext& context, pugi::xml_node node, DeviceId id) {
  if (!attribute(node, "link_width")) return;
  auto& fact = context.machine[id].pci->link.current_width;
  const auto width = number(context, node, "link_width");
  if (width && *width > 0) return fact.claim(*width, context.at(node));
  context.keep(id, node, "link_width");
  fact.refuse("link_width is not above 0; NCCL would assume x16", context.at(node));
  if (width)
    context.note_lines(node, "link_width is 0, so the width is unknown: NCCL would assume x16");
}

// <gpu dev sm rank gdr>, in RCCL also gcn and arch.
void read_gpu(NcclContext& context, pugi::xml_node node, DeviceId id, const NcclPlace& place) {
  model::Device& device = context.machine[id];
  if (!device.gpu) device.gpu.emplace();
  model::GpuFacts& gpu = *device.gpu;
  const auto here = context.at(node);
  if (const auto dev = number(context, node, "dev")) {
    device.index.claim(*dev, here);
    gpu.nccl_device.claim(*dev, here);
  }
  if (const auto rank = number(context, node, "rank")) gpu.rank.claim(*rank, here);
  if (const auto gdr = number(context, node, "gdr")) gpu.gpudirect.claim(*gdr != 0, here);
  const auto gcn = attribute(node, "gcn");
  const auto sm = number(context, node, "sm");
  if (sm && !gcn) gpu.compute_capability.claim(*sm, here);
  if (sm && gcn) context.keep(id, node, "sm");  // RCCL: the number of compute units
  if (gcn) {
    context.keep(id, node, "gcn");
    // RCCL wrote numbers before it wrote names; 910 stands for gfx90a.
    const bool named = starts_with_nocase(*gcn, "gfx");
    gpu.gcn_architecture.claim(named           ? valid_utf8(*gcn)
                               : *gcn == "910" ? std::string("gfx90a")
                                               : "gfx" + valid_utf8(*gcn),
                               here);
  }
  context.keep(id, node, "arch");
  context.keep(id, node, "mlopart");
  context.gpus.push_back({id, place.cpu, node});
}

void read_children(NcclContext& context, pugi::xml_node node, DeviceId id, const NcclPlace& place) {
  const NcclPlace below{id, place.cpu, place.numa};
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element || !check_vocabulary(context, child)) continue;
    const std::string_view name = child.name();
    if (name == "pci") read_nccl_pci(context, child, below);
    if (name == "gpu") read_gpu(context, child, id, place);
    if (name == "nic") read_nccl_nic(context, child, place, id);
    if (name == "pcilink") context.keep(id, "pcilink", child.attribute("target").value(), child);
  }
}

}  // namespace

void read_nccl_pci(NcclContext& context, pugi::xml_node node, const NcclPlace& place) {
  const auto here = context.at(node);
  const DeviceId id = device_of(context, node, kind_of(node));
  model::Device& device = context.machine[id];
  if (!device.parent && place.parent != id) {
    device.parent = place.parent;
    device.parent_source = here;
  }
  if (place.numa) device.numa_node.claim(*place.numa, here);
  if (!device.pci) device.pci.emplace();
  if (const auto code = pci_class(node)) {
    device.pci->pci_class.claim(*code, here);
  } else if (const auto text = attribute(node, "class")) {
    context.keep(id, node, "class");
    context.fault(node, "bad-value",
                  fmt::format("class={} is not a PCI class such as 0x030200", quoted(*text)));
  } else {
    context.note_lines(node,
                       "no PCI class: NCCL fills such an entry in from /sys on the machine "
                       "itself, so here its kind stays unknown");
  }
  read_id(context, node, id, "vendor", "device", device.pci->id);
  read_id(context, node, id, "subsystem_vendor", "subsystem_device", device.pci->subsystem);
  read_speed(context, node, id);
  read_width(context, node, id);
  read_children(context, node, id, place);
}

}  // namespace railgauge::observe
