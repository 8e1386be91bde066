#include "observe/lspci/properties.h"

#include <array>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "observe/lspci/device_line.h"
#include "observe/lspci/flags.h"
#include "observe/lspci/link_lines.h"

namespace railgauge::observe {
namespace {

using model::Device;
using model::PciPort;
using model::SourceRef;

using Read = std::string (*)(std::string_view, SourceRef, Device&);

std::string expected(std::string_view what, std::string_view text) {
  return "expected " + std::string(what) + ", got " + quoted(text, 80);
}

// The number after `name`, up to what is no digit: "MaxPayload 256 bytes".
std::optional<int> number_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  text = trim(text.substr(at + name.size()));
  const auto number = parse_int(text.substr(0, text.find_first_not_of("0123456789")));
  if (!number || *number > 1 << 20) return std::nullopt;
  return static_cast<int>(*number);
}

std::string numa_node(std::string_view text, SourceRef source, Device& device) {
  const auto node = parse_int(text);
  if (!node || *node > 1 << 20) return "NUMA node: " + expected("a number", text);
  if (*node < 0)
    device.numa_node.refuse("lspci says NUMA node " + std::to_string(*node), source);
  else
    device.numa_node.claim(static_cast<int>(*node), source);
  return {};
}

std::string iommu_group(std::string_view text, SourceRef source, Device& device) {
  const auto group = parse_int(text);
  if (!group || *group < 0 || *group > 1 << 20) return "IOMMU group: " + expected("a number", text);
  device.pci->iommu_group.claim(static_cast<int>(*group), source);
  return {};
}

std::string buses(std::string_view text, SourceRef source, Device& device) {
  const auto bus = [&](std::string_view name) -> std::optional<int> {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return std::nullopt;
    const auto value = parse_hex(text.substr(at + name.size(), 2));
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
  };
  const auto secondary = bus("secondary=");
  const auto subordinate = bus("subordinate=");
  if (!secondary || !subordinate) return "Bus: " + expected("secondary=01, subordinate=02", text);
  device.pci->secondary_bus.claim(*secondary, source);
  device.pci->subordinate_bus.claim(*subordinate, source);
  return {};
}

void refuse_hidden(SourceRef source, model::PciFacts& pci) {
  const std::string why = "needs root: rerun lspci as root";
  pci.port.refuse(why, source);
  pci.aspm.refuse(why, source);
  pci.acs.refuse(why, source);
  pci.link.current_speed.refuse(why, source);
  pci.link.max_speed.refuse(why, source);
  pci.link.current_width.refuse(why, source);
  pci.link.max_width.refuse(why, source);
  pci.max_payload_bytes.refuse(why, source);
  pci.max_read_request_bytes.refuse(why, source);
  pci.relaxed_ordering.refuse(why, source);
}

std::string capabilities(std::string_view text, SourceRef source, Device& device) {
  if (text == "<access denied>") {
    refuse_hidden(source, *device.pci);
    return {};
  }
  const std::size_t at = text.find("Express ");
  if (at == std::string_view::npos || text.find(']') > at) return {};
  text = text.substr(at);
  if (contains(text.substr(0, 24), "Secondary PCI")) return {};
  static constexpr std::array<std::pair<std::string_view, PciPort>, 8> ports{{
      {"Root Complex", PciPort::root_integrated},
      {"Root Port", PciPort::root_port},
      {"Upstream Port", PciPort::switch_upstream},
      {"Downstream Port", PciPort::switch_downstream},
      {"to PCI", PciPort::pci_bridge},
      {"Express Bridge", PciPort::pci_bridge},
      {"Legacy Endpoint", PciPort::endpoint},
      {"Endpoint", PciPort::endpoint},
  }};
  for (const auto& [words, port] : ports) {
    if (!contains(text, words)) continue;
    device.pci->port.claim(port, source);
    return {};
  }
  return "Capabilities: " + expected("a port type such as Root Port or Endpoint", text);
}

std::string power(std::string_view text, SourceRef source, Device& device) {
  if (text.size() < 2 || text[0] != 'D' || text[1] < '0' || text[1] > '3') return {};
  const std::string state(text.substr(0, text.find(' ')));
  device.pci->power_state.claim(state == "D3" ? "D3hot" : state, source);
  return {};
}

std::string payload(std::string_view text, SourceRef source, Device& device) {
  const auto request = number_after(text, "MaxReadReq ");
  const auto size = number_after(text, "MaxPayload ");
  if (!request) return {};  // DevCap's line has what is supported only
  if (!size) return "DevCtl: " + expected("MaxPayload 256 bytes", text);
  device.pci->max_payload_bytes.claim(*size, source);
  device.pci->max_read_request_bytes.claim(*request, source);
  return {};
}

std::string virtual_functions(std::string_view text, SourceRef source, Device& device) {
  const auto total = number_after(text, "Total VFs: ");
  const auto active = number_after(text, "Number of VFs: ");
  if (!total || !active) return "SR-IOV: " + expected("Total VFs: and Number of VFs:", text);
  device.pci->sriov_total_vfs.claim(*total, source);
  device.pci->sriov_active_vfs.claim(*active, source);
  return {};
}

std::string acs_control(std::string_view text, SourceRef source, Device& device) {
  if (!flag(text, "ReqRedir")) return "ACSCtl: " + expected("SrcValid+ … ReqRedir- …", text);
  device.pci->acs.claim(parse_acs(text), source);
  return {};
}

std::string ordering(std::string_view text, SourceRef source, Device& device) {
  if (const auto set = flag(text, "RlxdOrd")) device.pci->relaxed_ordering.claim(*set, source);
  return {};
}

template <const char* Key>
std::string keep_set_flags(std::string_view text, SourceRef source, Device& device) {
  device.attributes.push_back({Key, set_flags(text.substr(0, 400)), source});
  return {};
}

template <const char* Key>
std::string keep(std::string_view text, SourceRef source, Device& device) {
  device.attributes.push_back({Key, std::string(text.substr(0, 200)), source});
  return {};
}

constexpr char uncorrectable_key[] = "UESta";
constexpr char correctable_key[] = "CESta";
constexpr char device_status_key[] = "DevSta";
constexpr char modules_key[] = "kernel_modules";
constexpr char device_name_key[] = "device_name";
constexpr char lane_errors_key[] = "LaneErrStat";
constexpr char part_number_key[] = "part_number";

struct Property {
  std::string_view start;
  bool with_start;  // hand over the whole line, not what follows the start
  Read read;
};

constexpr std::array properties{
    Property{"NUMA node:", false, numa_node},
    Property{"IOMMU group:", false, iommu_group},
    Property{"Bus: primary=", false, buses},
    Property{"Capabilities:", false, capabilities},
    Property{"Status: D", true,
             [](std::string_view t, SourceRef s, Device& d) { return power(t.substr(8), s, d); }},
    Property{"LnkCap:", false,
             [](std::string_view t, SourceRef s, Device& d) {
               return read_link_capability(t, s, *d.pci);
             }},
    Property{"LnkSta:", false, read_link_status},
    Property{
        "LnkCtl:", false,
        [](std::string_view t, SourceRef s, Device& d) { return read_link_control(t, s, *d.pci); }},
    Property{"MaxPayload ", true, payload},
    Property{"RlxdOrd", true, ordering},
    Property{"ACSCtl:", false, acs_control},
    Property{"Initial VFs:", true, virtual_functions},
    Property{"UESta:", false, keep_set_flags<uncorrectable_key>},
    Property{"CESta:", false, keep_set_flags<correctable_key>},
    Property{"DevSta:", false, keep_set_flags<device_status_key>},
    Property{"LaneErrStat:", false, keep<lane_errors_key>},
    Property{"[PN] Part number:", false, keep<part_number_key>},
    Property{"DeviceName:", false, keep<device_name_key>},
    Property{"Kernel modules:", false, keep<modules_key>},
    Property{"Kernel driver in use:", false,
             [](std::string_view t, SourceRef s, Device& d) {
               d.pci->driver.claim(std::string(t), s);
               return std::string();
             }},
    Property{"Physical Slot:", false,
             [](std::string_view t, SourceRef s, Device& d) {
               d.pci->slot.claim(std::string(t), s);
               return std::string();
             }},
    Property{"Subsystem:", false,
             [](std::string_view t, SourceRef s, Device& d) {
               if (const auto id = bracketed_id(t)) d.pci->subsystem.claim(*id, s);
               return std::string();
             }},
};

const Property* find_property(std::string_view line) {
  for (const auto& property : properties)
    if (line.substr(0, property.start.size()) == property.start) return &property;
  return nullptr;
}

}  // namespace

std::string read_property(std::string_view line, SourceRef source, Device& device) {
  line = trim(line.substr(0, 1000));
  const Property* property = find_property(line);
  if (!property) return {};
  return property->read(property->with_start ? line : trim(line.substr(property->start.size())),
                        source, device);
}

bool is_property(std::string_view line) {
  line = trim(line);
  static constexpr std::array<std::string_view, 6> starts{
      "LnkCap:", "LnkSta:", "LnkCtl:", "ACSCtl:", "UESta:", "CESta:"};
  for (const auto start : starts)
    if (line.substr(0, start.size()) == start) return true;
  return false;
}

model::AcsControl parse_acs(std::string_view flags) {
  const auto is_set = [&](std::string_view name) { return flag(flags, name).value_or(false); };
  model::AcsControl acs;
  acs.source_validation = is_set("SrcValid");
  acs.translation_blocking = is_set("TransBlk");
  acs.request_redirect = is_set("ReqRedir");
  acs.completion_redirect = is_set("CmpltRedir");
  acs.upstream_forwarding = is_set("UpstreamFwd");
  acs.egress_control = is_set("EgressCtrl");
  acs.direct_translated = is_set("DirectTrans");
  return acs;
}

}  // namespace railgauge::observe
