// Groups of hex digits joined by colons, as MAC addresses, GUIDs and IPv6 addresses are written;
// also the dotted IPv4 that may stand alone or end an IPv6 address.
//   HexChain chain = hex_chain(text, at);      "fe80::506b:4b03" has 3 groups, gap after the first
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "observe/privacy/ip_address.h"

namespace railgauge::observe::privacy {

struct HexChain {
  static constexpr std::size_t most = 20;  // a hardware address of IPoIB
  std::size_t count = 0;                   // of all groups, also those past `most`
  std::array<std::uint16_t, most> value{};
  std::array<std::uint8_t, most> width{};
  std::array<std::size_t, most> start{};  // where each group begins in the text
  std::optional<std::size_t> gap;         // "::" stands before this group
  bool broken = false;                    // two gaps, or "::" before something else
  bool dotted = false;                    // the last two groups are written as IPv4
  std::size_t last = 0;                   // where the last group begins
  std::size_t end = 0;

  bool widths_are(std::size_t wanted, std::size_t first, std::size_t past) const;
  std::optional<Ipv6> ipv6() const;  // when the groups are an IPv6 address
};

HexChain hex_chain(std::string_view text, std::size_t at);

struct DottedIpv4 {
  std::uint32_t address = 0;
  std::size_t end = 0;
};

// Four numbers up to 255 without leading zeros; nothing is said of what stands around them.
std::optional<DottedIpv4> dotted_ipv4(std::string_view text, std::size_t at, char separator = '.');

}  // namespace railgauge::observe::privacy
