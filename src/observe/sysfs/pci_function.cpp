#include "observe/sysfs/pci_function.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "observe/lspci/config_space.h"
#include "observe/sysfs/pci_names.h"

namespace railgauge::observe {
namespace {

using model::Aspm;
using model::PcieSpeed;

Reading<model::PciClass> pci_class(std::string_view text) {
  const auto value = parse_hex(text);
  if (!value || *value > 0xffffff)
    return Reading<model::PciClass>::not_reported("a class like 0x030200");
  return model::PciClass{static_cast<std::uint32_t>(*value)};
}

Reading<PcieSpeed> link_speed(std::string_view text) {
  if (starts_with_nocase(text, "unknown"))
    return Reading<PcieSpeed>::failed("the kernel says " + quoted(text));
  if (const auto speed = PcieSpeed::parse(text)) return *speed;
  return Reading<PcieSpeed>::not_reported("a speed like \"16.0 GT/s PCIe\"");
}

// The kernel says 0 for a link that is down or absent and 255 (PCIE_LNK_WIDTH_UNKNOWN) where there
// is none.
Reading<int> link_width(std::string_view text) {
  const auto value = count(text);
  if (!value) return Reading<int>::not_reported("a number of lanes");
  if (*value == 0 || *value == 255)
    return Reading<int>::failed("the kernel says " + std::string(text) + ": no link");
  if (*value > 32) return Reading<int>::not_reported("1 to 32 lanes");
  return *value;
}

Reading<int> numa_node(std::string_view text) {
  if (text == "-1")
    return Reading<int>::failed("the kernel says -1: the firmware gave no proximity");
  const auto value = count(text);
  return value && *value < 1 << 16 ? value : Reading<int>::not_reported("a NUMA node number");
}

Reading<std::string> power_state(std::string_view text) {
  if (text == "unknown" || text == "error")
    return Reading<std::string>::failed("the kernel says " + std::string(text));
  return plain_text(text);
}

Reading<model::PciAddress> address(std::string_view text) {
  if (const auto found = function_name(text)) return *found;
  return Reading<model::PciAddress>::not_reported("a PCI address");
}

// An identity is two files; the fact is sourced by the one that names the device.
void fill_id(Attributes& attributes, model::Fact<model::PciId>& fact, std::string_view vendor,
             std::string_view device) {
  model::Fact<std::uint16_t> maker;
  attributes.fill(maker, vendor, hex16);
  attributes.fill(fact, device, [&](std::string_view text) -> Reading<model::PciId> {
    if (!maker) return Reading<model::PciId>::failed(std::string(vendor) + " is unknown");
    const auto number = hex16(text);
    if (!number) return Reading<model::PciId>::not_reported(number.why());
    return model::PciId{*maker, *number};
  });
}

// The kernel shows l0s_aspm and l1_aspm only where both ends can: an absent file is a state that
// cannot be on.
void fill_aspm(Attributes& attributes, model::PciFacts& pci) {
  const std::string l0s = "link/l0s_aspm";
  const std::string l1 = "link/l1_aspm";
  const bool has_l0s = attributes.has(l0s) && attributes.text(l0s).value_or("0") == "1";
  const auto combine = [&](std::string_view text) -> Reading<Aspm> {
    if (text != "0" && text != "1") return Reading<Aspm>::not_reported("0 or 1");
    const bool on = text == "1";
    if (on) return has_l0s ? Aspm::l0s_l1 : Aspm::l1;
    return has_l0s ? Aspm::l0s : Aspm::disabled;
  };
  const auto alone = [&](std::string_view text) -> Reading<Aspm> {
    if (text != "0" && text != "1") return Reading<Aspm>::not_reported("0 or 1");
    return text == "1" ? Aspm::l0s : Aspm::disabled;
  };
  if (attributes.has(l1))
    attributes.fill(pci.aspm, l1, combine);
  else
    attributes.fill(pci.aspm, l0s, alone);
}

// A virtual function's registers mostly read as zeros or ones: the specification leaves them to the
// physical function. Everything true of it is in the other files.
void read_config(Attributes& attributes, model::PciFacts& pci) {
  const Entry* config = attributes.find("config");
  if (config == nullptr || attributes.has("physfn")) return;
  const model::SourceRef here = attributes.source("config");
  if (config->kind != Entry::Kind::file) {
    if (config->kind == Entry::Kind::refused) pci.port.refuse(std::string(config->bytes), here);
    return;
  }
  // PCI Express ends at 4096 bytes; a longer file is not a configuration space.
  const std::size_t size = std::min<std::size_t>(config->bytes.size(), 4096);
  decode_config_space({reinterpret_cast<const std::uint8_t*>(config->bytes.data()), size}, here,
                      pci);
}

}  // namespace

void read_pci_function(Attributes& attributes, model::Machine& machine, model::Device& device) {
  model::PciFacts& pci = device.pci ? *device.pci : device.pci.emplace();
  fill_id(attributes, pci.id, "vendor", "device");
  fill_id(attributes, pci.subsystem, "subsystem_vendor", "subsystem_device");
  attributes.fill(pci.pci_class, "class", pci_class);
  attributes.fill(pci.revision, "revision", [](std::string_view text) -> Reading<int> {
    const auto value = hex16(text);
    return value ? Reading<int>(*value) : Reading<int>::not_reported(value.why());
  });
  attributes.fill(device.numa_node, "numa_node", numa_node);
  attributes.fill(pci.link.current_speed, "current_link_speed", link_speed);
  attributes.fill(pci.link.current_width, "current_link_width", link_width);
  attributes.fill(pci.link.max_speed, "max_link_speed", link_speed);
  attributes.fill(pci.link.max_width, "max_link_width", link_width);
  attributes.fill(pci.power_state, "power_state", power_state);
  attributes.fill(pci.sriov_total_vfs, "sriov_totalvfs", count);
  attributes.fill(pci.sriov_active_vfs, "sriov_numvfs", count);
  attributes.fill(pci.slot, "label", plain_text);
  attributes.fill_from_link(pci.driver, "driver", plain_text);
  attributes.fill_from_link(pci.iommu_group, "iommu_group", count);
  attributes.fill_from_link(pci.physical_function, "physfn", address);
  fill_aspm(attributes, pci);
  for (const auto& [name, counters] : {std::pair{"aer_dev_correctable", &pci.aer_correctable},
                                       {"aer_dev_nonfatal", &pci.aer_nonfatal},
                                       {"aer_dev_fatal", &pci.aer_fatal}})
    if (const Entry* table = attributes.find(name))
      read_aer(*table, attributes.source(name), machine, *counters);
  read_config(attributes, pci);
}

}  // namespace railgauge::observe
