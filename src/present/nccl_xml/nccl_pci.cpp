#include <fmt/format.h>

#include <algorithm>

#include "model/power.h"
#include "present/nccl_xml/nccl_elements.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceKind;
using model::PcieSpeed;

// NCCL compares the kernel's strings letter by letter: "2.5 GT/s PCIe", "32.0 GT/s PCIe".
std::string speed_text(PcieSpeed speed) {
  return fmt::format("{:.1f} GT/s PCIe", speed.megatransfers / 1000.0);
}

// A GPU of unknown power state at Gen1 is taken as one that saves power.
bool is_idle(const Device& device) {
  if (!device.gpu) return false;
  if (device.gpu->p_state) return model::saves_power(device);
  return device.pci->link.current_speed && device.pci->link.current_speed->generation() == 1;
}

// What runs now, except for an idle GPU, which will run at what it and the port above can both do.
std::optional<std::string> speed(const model::Machine& machine, const Device& device) {
  const model::LinkEnd& own = device.pci->link;
  if (own.max_speed && (is_idle(device) || !own.current_speed)) {
    PcieSpeed possible = *own.max_speed;
    if (device.parent) {
      const Device& above = machine[*device.parent];
      const bool faces_down = above.kind != DeviceKind::pcie_switch;
      if (above.pci && faces_down && above.pci->link.max_speed)
        possible = std::min(possible, *above.pci->link.max_speed);
    }
    return speed_text(possible);
  }
  if (own.current_speed) return speed_text(*own.current_speed);
  return std::nullopt;
}

// Width does not change with power, so what runs now counts.
std::optional<std::string> width(const Device& device) {
  const model::LinkEnd& own = device.pci->link;
  if (own.current_width) return fmt::format("{}", *own.current_width);
  if (own.max_width) return fmt::format("{}", *own.max_width);
  return std::nullopt;
}

std::optional<std::string> class_text(const Device& device) {
  if (device.pci && device.pci->pci_class)
    return fmt::format("0x{:06x}", device.pci->pci_class->code);
  // Without a class NCCL would ask sysfs, where an inferred switch does not exist.
  if (device.kind == DeviceKind::pcie_switch && !device.address) return "0x060400";
  return std::nullopt;
}

std::optional<std::string> hex(const model::Fact<model::PciId>& fact, bool vendor) {
  if (!fact) return std::nullopt;
  return fmt::format("0x{:04x}", vendor ? fact->vendor : fact->device);
}

}  // namespace

void add_attribute(XmlAttributes& attributes, const std::string& name, const Device& device,
                   const std::optional<std::string>& fact) {
  if (fact)
    attributes.emplace_back(name, *fact);
  else if (const std::string* text = stated(device, name))
    attributes.emplace_back(name, *text);
}

// NCCL 2.28 gives up ("Attribute link_width of node pci not found") on a function whose link it can
// read neither here nor in sysfs, such as a guest's virtio NIC. Empty and 0 are its own words for
// unknown. A topology file that left them out is meant to be filled in by NCCL, and stays as it
// was.
void say_unknown_link(XmlAttributes& attributes, const Device& device) {
  if (device.seen_in.trust == model::Trust::file) return;
  const auto say = [&](const std::string& name, const char* unknown) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& attribute) { return attribute.first == name; });
    if (found == attributes.end()) attributes.emplace_back(name, unknown);
  };
  say("link_speed", "");
  say("link_width", "0");
}

XmlAttributes pci_attributes(const NcclWriter& writer, model::DeviceId id) {
  const Device& device = writer.machine[id];
  XmlAttributes out{{"busid", writer.tree.busid.at(id)}};
  add_attribute(out, "class", device, class_text(device));
  if (!device.pci) {
    say_unknown_link(out, device);
    return out;
  }
  add_attribute(out, "vendor", device, hex(device.pci->id, true));
  add_attribute(out, "device", device, hex(device.pci->id, false));
  add_attribute(out, "subsystem_vendor", device, hex(device.pci->subsystem, true));
  add_attribute(out, "subsystem_device", device, hex(device.pci->subsystem, false));
  add_attribute(out, "link_speed", device, speed(writer.machine, device));
  add_attribute(out, "link_width", device, width(device));
  say_unknown_link(out, device);
  return out;
}

}  // namespace railgauge::present
