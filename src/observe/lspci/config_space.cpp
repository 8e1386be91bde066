#include "observe/lspci/config_space.h"

#include <array>
#include <utility>

#include "observe/lspci/config_bytes.h"

namespace railgauge::observe {
namespace {

using model::PciFacts;
using model::PciPort;
using model::SourceRef;

// Numbers here are of the PCI Express Base Specification: capability identities and register
// offsets from the start of their capability.
constexpr std::uint8_t power_management = 0x01;
constexpr std::uint8_t pci_express = 0x10;
constexpr std::uint16_t advanced_error_reporting = 0x0001;
constexpr std::uint16_t access_control_services = 0x000d;
constexpr std::uint16_t single_root_iov = 0x0010;

std::optional<PciPort> port_of_type(unsigned type) {
  switch (type) {
    case 0x0:
    case 0x1: return PciPort::endpoint;
    case 0x4: return PciPort::root_port;
    case 0x5: return PciPort::switch_upstream;
    case 0x6: return PciPort::switch_downstream;
    case 0x7:
    case 0x8: return PciPort::pci_bridge;
    case 0x9:
    case 0xa: return PciPort::root_integrated;
    default: return std::nullopt;
  }
}

void decode_header(const ConfigBytes& config, SourceRef source, PciFacts& facts) {
  const auto vendor = config.u16(0x00);
  const auto device = config.u16(0x02);
  if (vendor && device) facts.id.claim({*vendor, *device}, source);
  if (const auto word = config.u32(0x08)) {
    facts.revision.claim(static_cast<int>(*word & 0xff), source);
    facts.pci_class.claim({*word >> 8}, source);
  }
  const auto type = config.u8(0x0e);
  if (!type) return;
  if ((*type & 0x7f) == 0) {
    const auto sub_vendor = config.u16(0x2c);
    const auto sub_device = config.u16(0x2e);
    if (sub_vendor && sub_device && *sub_vendor != 0 && *sub_vendor != 0xffff)
      facts.subsystem.claim({*sub_vendor, *sub_device}, source);
  }
  if ((*type & 0x7f) == 1) {
    if (const auto bus = config.u8(0x19)) facts.secondary_bus.claim(*bus, source);
    if (const auto bus = config.u8(0x1a)) facts.subordinate_bus.claim(*bus, source);
  }
}

void decode_power(const ConfigBytes& config, SourceRef source, PciFacts& facts) {
  const auto at = config.capability(power_management);
  if (!at) return;
  static constexpr std::array<const char*, 4> states{"D0", "D1", "D2", "D3hot"};
  if (const auto control = config.u16(*at + 4))
    facts.power_state.claim(states[*control & 3], source);
}

void decode_device_control(const ConfigBytes& config, std::size_t at, SourceRef source,
                           PciFacts& facts) {
  const auto control = config.u16(at + 0x08);
  if (!control) return;
  facts.relaxed_ordering.claim((*control & 0x10) != 0, source);
  const int payload = *control >> 5 & 7;
  const int request = *control >> 12 & 7;
  if (payload < 6) facts.max_payload_bytes.claim(128 << payload, source);
  if (request < 6) facts.max_read_request_bytes.claim(128 << request, source);
}

void decode_link_capability(const ConfigBytes& config, std::size_t at, SourceRef source,
                            PciFacts& facts) {
  const auto capability = config.u32(at + 0x0c);
  if (!capability) return;
  const int width = static_cast<int>(*capability >> 4 & 0x3f);
  if (width > 0) facts.link.max_width.claim(width, source);
  // The newer vector of supported speeds wins, as in the kernel; old devices leave it zero.
  int generation = static_cast<int>(*capability & 0xf);
  if (const auto vector = config.u32(at + 0x2c); vector && (*vector & 0xfe) != 0) {
    generation = 0;
    for (int bit = 1; bit <= 7; ++bit)
      if (*vector >> bit & 1) generation = bit;
  }
  if (const auto speed = model::PcieSpeed::of_generation(generation))
    facts.link.max_speed.claim(*speed, source);
}

void decode_link_status(const ConfigBytes& config, std::size_t at, SourceRef source,
                        PciFacts& facts) {
  if (const auto control = config.u16(at + 0x10))
    facts.aspm.claim(static_cast<model::Aspm>(*control & 3), source);
  const auto status = config.u16(at + 0x12);
  if (!status) return;
  const int width = *status >> 4 & 0x3f;
  if (width == 0) {
    facts.link.current_width.refuse("the link is down: width x0", source);
    facts.link.current_speed.refuse("the link is down: width x0", source);
    return;
  }
  facts.link.current_width.claim(width, source);
  if (const auto speed = model::PcieSpeed::of_generation(*status & 0xf))
    facts.link.current_speed.claim(*speed, source);
  else
    facts.link.current_speed.refuse("the link status names no known speed", source);
}

void decode_express(const ConfigBytes& config, SourceRef source, PciFacts& facts) {
  const auto at = config.capability(pci_express);
  if (!at) return;
  const auto flags = config.u16(*at + 2);
  if (!flags) return;
  const auto port = port_of_type(*flags >> 4 & 0xf);
  if (port) facts.port.claim(*port, source);
  decode_device_control(config, *at, source, facts);
  if (port == PciPort::root_integrated) return;  // on the root bus itself: no link
  decode_link_capability(config, *at, source, facts);
  decode_link_status(config, *at, source, facts);
  const bool has_slot = (*flags & 0x100) != 0;
  if (const auto slot = config.u32(*at + 0x14); has_slot && slot && *slot >> 19 != 0)
    facts.slot.claim(std::to_string(*slot >> 19), source);
}

void decode_acs(const ConfigBytes& config, SourceRef source, PciFacts& facts) {
  const auto at = config.extended_capability(access_control_services);
  if (!at) return;
  const auto control = config.u16(*at + 6);
  if (!control) return;
  const auto bit = [&](int n) { return (*control >> n & 1) != 0; };
  facts.acs.claim({bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6)}, source);
}

void decode_sriov(const ConfigBytes& config, SourceRef source, PciFacts& facts) {
  const auto at = config.extended_capability(single_root_iov);
  if (!at) return;
  const auto control = config.u16(*at + 0x08);
  const auto total = config.u16(*at + 0x0e);
  const auto active = config.u16(*at + 0x10);
  if (total) facts.sriov_total_vfs.claim(*total, source);
  if (control && active) facts.sriov_active_vfs.claim((*control & 1) ? *active : 0, source);
}

// Access Control Services lie in the extended space, beyond 256 bytes.
std::string why_no_acs(const ConfigBytes& config) {
  const std::string bytes =
      std::to_string(config.size()) + " of 4096 bytes of configuration space were ";
  if (config.size() < 256) return "needs root: " + bytes + "readable";
  const bool bridge = (config.u8(0x0e).value_or(0) & 0x7f) == 1;
  return bridge ? "the extended space is hidden or was not printed (lspci -xxxx does): " + bytes +
                      "readable"
                : "not looked at: " + bytes + "read, as of every device that is no bridge";
}

// What the given bytes are too few for. Linux shows 64 bytes to users other than root.
void refuse_what_is_missing(const ConfigBytes& config, SourceRef source, PciFacts& facts) {
  const auto status = config.u16(0x06);
  if (!status || !(*status & 0x10)) return;
  if (config.size() < 256) {
    const std::string why = "needs root: " + std::to_string(config.size()) +
                            " of 256 bytes of configuration space were readable";
    if (!facts.port) facts.port.refuse(why, source);
    if (!facts.aspm) facts.aspm.refuse(why, source);
    for (auto* speed : {&facts.link.current_speed, &facts.link.max_speed})
      if (!*speed) speed->refuse(why, source);
    for (auto* width : {&facts.link.current_width, &facts.link.max_width})
      if (!*width) width->refuse(why, source);
  }
  if (config.size() < 4096 && !facts.acs && (config.size() < 256 || config.capability(pci_express)))
    facts.acs.refuse(why_no_acs(config), source);
}

constexpr std::array<std::pair<int, const char*>, 19> uncorrectable_names{{{4, "DLP"},
                                                                           {5, "SDES"},
                                                                           {12, "TLP"},
                                                                           {13, "FCP"},
                                                                           {14, "CmpltTO"},
                                                                           {15, "CmpltAbrt"},
                                                                           {16, "UnxCmplt"},
                                                                           {17, "RxOF"},
                                                                           {18, "MalfTLP"},
                                                                           {19, "ECRC"},
                                                                           {20, "UnsupReq"},
                                                                           {21, "ACSViol"},
                                                                           {22, "UncorrIntErr"},
                                                                           {23, "BlockedTLP"},
                                                                           {24, "AtomicOpBlocked"},
                                                                           {25, "TLPBlockedErr"},
                                                                           {26, "PoisonTLPBlocked"},
                                                                           {27, "DMWrReqBlocked"},
                                                                           {28, "IDECheck"}}};
constexpr std::array<std::pair<int, const char*>, 8> correctable_names{{{0, "RxErr"},
                                                                        {6, "BadTLP"},
                                                                        {7, "BadDLLP"},
                                                                        {8, "Rollover"},
                                                                        {12, "Timeout"},
                                                                        {13, "AdvNonFatalErr"},
                                                                        {14, "CorrIntErr"},
                                                                        {15, "HeaderOF"}}};

template <class Names>
std::vector<std::string> set_bits(std::optional<std::uint32_t> word, const Names& names) {
  std::vector<std::string> out;
  if (!word || *word == 0xffffffff) return out;
  for (const auto& [bit, name] : names)
    if (*word >> bit & 1) out.emplace_back(name);
  return out;
}

}  // namespace

void decode_config_space(std::span<const std::uint8_t> bytes, SourceRef source, PciFacts& facts) {
  const ConfigBytes config(bytes);
  if (config.u32(0) == 0xffffffff) {
    facts.id.refuse("configuration space reads as all ones: the device does not answer", source);
    return;
  }
  decode_header(config, source, facts);
  decode_power(config, source, facts);
  decode_express(config, source, facts);
  decode_acs(config, source, facts);
  decode_sriov(config, source, facts);
  refuse_what_is_missing(config, source, facts);
}

AerStatusBits aer_status_bits(std::span<const std::uint8_t> bytes) {
  const ConfigBytes config(bytes);
  const auto at = config.extended_capability(advanced_error_reporting);
  if (!at) return {};
  return {set_bits(config.u32(*at + 0x04), uncorrectable_names),
          set_bits(config.u32(*at + 0x10), correctable_names)};
}

}  // namespace railgauge::observe
