#include <fmt/format.h>

#include "base/strings.h"
#include "observe/hwloc/hwloc_context.h"
#include "observe/nccl_xml/cpu_mask.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::PciClass;
using model::PciId;

struct Place {
  std::optional<DeviceId> parent;
  std::optional<int> numa;
  std::optional<DeviceId> pci;  // the function around an OS device
};

// What hwloc packs into one attribute: "0302 [10de:2330] [10de:16c1] a1".
struct PciType {
  std::optional<PciClass> pci_class;
  std::optional<PciId> id;
  std::optional<PciId> subsystem;
  std::optional<int> revision;
};

std::optional<PciId> parse_bracket(std::string_view text) {
  if (text.size() != 11 || text.front() != '[' || text.back() != ']' || text[5] != ':')
    return std::nullopt;
  const auto vendor = parse_hex(text.substr(1, 4));
  const auto device = parse_hex(text.substr(6, 4));
  if (!vendor || !device || *vendor == 0) return std::nullopt;
  return PciId{static_cast<std::uint16_t>(*vendor), static_cast<std::uint16_t>(*device)};
}

PciType parse_pci_type(std::string_view text) {
  PciType out;
  const auto words = split_blank(text);
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string_view{}; };
  if (const auto code = parse_hex(word(0)); code && *code <= 0xffff)
    out.pci_class = PciClass{static_cast<std::uint32_t>(*code << 8)};
  out.id = parse_bracket(word(1));
  out.subsystem = parse_bracket(word(2));
  if (const auto revision = parse_hex(word(3)); revision && *revision <= 0xff)
    out.revision = static_cast<int>(*revision);
  return out;
}

DeviceKind kind_of(std::string_view object_type, const PciType& type) {
  if (object_type == "Bridge") return DeviceKind::pcie_bridge;
  if (!type.pci_class) return DeviceKind::other;
  const bool nvidia = type.id && type.id->vendor == 0x10de;
  // Class 0300 is any VGA adapter: that of a management controller is no GPU for computing.
  const bool computes =
      nvidia || (type.id && (type.id->vendor == 0x1002 || type.id->vendor == 0x8086));
  const PciClass code = *type.pci_class;
  if (code.is_display())
    return code.base_and_sub() != 0x0300 || computes ? DeviceKind::gpu : DeviceKind::other;
  if (code.is_accelerator()) return DeviceKind::gpu;
  if (code.is_other_bridge()) return nvidia ? DeviceKind::nvswitch : DeviceKind::other;
  if (code.is_network()) return DeviceKind::nic;
  if (code.is_nvme()) return DeviceKind::nvme;
  return DeviceKind::other;
}

// "0000:[44-54]": the buses below a bridge. The domain as text, then first and last.
struct Buses {
  std::string domain;
  int first = 0;
  int last = 0;
};
std::optional<Buses> parse_buses(std::string_view text) {
  const auto open = text.find(":[");
  const auto dash = text.find('-');
  if (open == std::string_view::npos || dash == std::string_view::npos || dash < open ||
      text.back() != ']')
    return std::nullopt;
  const auto first = parse_hex(text.substr(open + 2, dash - open - 2));
  const auto last = parse_hex(text.substr(dash + 1, text.size() - dash - 2));
  const auto domain = parse_hex(text.substr(0, open));
  if (!first || !last || !domain || *first > 0xff || *last > 0xff || *domain > 0xffffffff)
    return std::nullopt;
  return Buses{fmt::format("{:04x}", *domain), static_cast<int>(*first), static_cast<int>(*last)};
}

void place_device(HwlocContext& context, pugi::xml_node object, DeviceId id, const Place& place) {
  auto& device = context.machine[id];
  device.parent = place.parent;
  device.parent_source = context.at(object);
  if (place.numa) device.numa_node.claim(*place.numa, context.at(object));
  if (const auto gp = hwloc_attribute(object, "gp_index"))
    context.by_gp_index.emplace(std::string(*gp), id);
}

DeviceId read_host_bridge(HwlocContext& context, pugi::xml_node object, const Place& place) {
  const auto here = context.at(object);
  const DeviceId id = context.machine.add(DeviceKind::host_bridge, here);
  place_device(context, object, id, place);
  auto& device = context.machine[id];
  device.pci.emplace();
  const std::string_view text = hwloc_attribute(object, "bridge_pci").value_or("");
  const auto buses = parse_buses(text);
  if (!buses) {
    context.warn(object,
                 fmt::format("bridge_pci={} is not of the form 0000:[44-54]", quoted(text)));
    return id;
  }
  device.name.claim(fmt::format("pci{}:{:02x}", buses->domain, buses->first), here);
  device.pci->secondary_bus.claim(buses->first, here);
  device.pci->subordinate_bus.claim(buses->last, here);
  return id;
}

DeviceId read_function(HwlocContext& context, pugi::xml_node object, const Place& place) {
  const auto here = context.at(object);
  const std::string_view busid = hwloc_attribute(object, "pci_busid").value_or("");
  const std::string_view type_text = hwloc_attribute(object, "pci_type").value_or("");
  const PciType type = parse_pci_type(type_text);
  const DeviceId id = context.machine.add(kind_of(hwloc_type(object), type), here);
  place_device(context, object, id, place);
  auto& device = context.machine[id];
  device.pci.emplace();
  if (const auto address = model::PciAddress::parse(busid))
    device.address.claim(*address, here);
  else
    context.warn(object, fmt::format("pci_busid={} is not a PCI address", quoted(busid)));
  if (!type.pci_class || !type.id)
    context.warn(object,
                 fmt::format("pci_type={} is not of the form 0302 [10de:2330] [10de:16c1] a1",
                             quoted(type_text)));
  // hwloc leaves out the programming interface, so that zero in its place is inferred.
  auto inferred = here;
  inferred.trust = model::Trust::inferred;
  if (type.pci_class) device.pci->pci_class.claim(*type.pci_class, inferred);
  if (type.id) device.pci->id.claim(*type.id, here);
  if (type.subsystem) device.pci->subsystem.claim(*type.subsystem, here);
  if (type.revision) device.pci->revision.claim(*type.revision, here);
  if (const auto slot = hwloc_info(object, "PCISlot"))
    device.pci->slot.claim(valid_utf8(*slot), here);
  if (const auto name = hwloc_info(object, "PCIDevice"); name && !name->empty())
    device.name.claim(valid_utf8(*name), here);
  if (const auto speed = hwloc_attribute(object, "pci_link_speed");
      speed && parse_double(*speed).value_or(0) > 0)
    context.keep(id, "pci_link_speed_gb_per_s", std::string(*speed), object);
  if (const auto buses = parse_buses(hwloc_attribute(object, "bridge_pci").value_or(" "))) {
    device.pci->secondary_bus.claim(buses->first, here);
    device.pci->subordinate_bus.claim(buses->last, here);
  }
  return id;
}

void read_os_device(HwlocContext& context, pugi::xml_node object, const Place& place) {
  if (place.pci) return read_hwloc_osdev(context, object, *place.pci);
  context.machine.remark(model::RemarkLevel::note,
                         fmt::format("OS device {} belongs to no PCI function; left out",
                                     quoted(object.attribute("name").value())),
                         context.at(object));
}

// The NUMA node around an I/O object: the only one in the node set of the CPU object it hangs from.
void narrow_to_numa(const HwlocContext& context, pugi::xml_node object, Place& place) {
  const auto mask = parse_cpu_mask(object.attribute("nodeset").value());
  if (!mask) return;
  const auto nodes = cpus_of(*mask);
  place.numa.reset();
  place.parent.reset();
  if (nodes.size() == 1) {
    const auto found = context.numa_nodes.find(static_cast<int>(nodes.front()));
    if (found == context.numa_nodes.end()) return;
    place.numa = found->first;
    place.parent = found->second;
    return;
  }
  for (const pugi::xml_node above : {object, object.parent(), object.parent().parent()}) {
    if (hwloc_type(above) != "Package" && hwloc_type(above) != "Socket") continue;
    const auto cpus = parse_cpu_mask(above.attribute("cpuset").value());
    const auto list = cpus ? cpus_of(*cpus) : std::vector<std::uint32_t>{};
    if (list.empty()) return;
    const auto package = context.package_of.find(list.front());
    if (package != context.package_of.end()) place.parent = package->second;
    return;
  }
}

void walk(HwlocContext& context, pugi::xml_node object, Place place) {
  const std::string_view type = hwloc_type(object);
  if (type == "OSDev") {
    read_os_device(context, object, place);
  } else if (type == "Bridge" &&
             hwloc_attribute(object, "bridge_type").value_or("").substr(0, 1) == "0") {
    place.parent = read_host_bridge(context, object, place);
  } else if (type == "Bridge" || type == "PCIDev") {
    place.parent = read_function(context, object, place);
    place.pci = place.parent;
  } else {
    narrow_to_numa(context, object, place);
  }
  for (const pugi::xml_node child : object.children("object")) walk(context, child, place);
}

}  // namespace

void read_hwloc_io(HwlocContext& context) { walk(context, context.xml.root().child("object"), {}); }

}  // namespace railgauge::observe
