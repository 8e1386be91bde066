#include "observe/privacy/ip_address.h"

#include <span>
#include <string>

namespace railgauge::observe::privacy {
namespace {

// A range that stays itself; `kept` ranges stay address by address.
struct Range {
  std::uint64_t prefix;  // left-aligned in 64 bits
  int length;
  bool kept;
};

constexpr std::uint64_t v4(std::uint64_t address) { return address << 32; }

constexpr Range ipv4_ranges[] = {
    {v4(0x00000000), 8, true},    // this host; wildcard masks
    {v4(0x0a000000), 8, false},   // RFC 1918
    {v4(0x64400000), 10, false},  // RFC 6598, shared
    {v4(0x7f000000), 8, true},    // loopback
    {v4(0xa9fe0000), 16, false},  // RFC 3927, link-local
    {v4(0xac100000), 12, false},  // RFC 1918
    {v4(0xc0a80000), 16, false},  // RFC 1918
    {v4(0xe0000000), 3, true},    // multicast, reserved, netmasks, broadcast
};

constexpr Range ipv6_ranges[] = {
    {0x0000000000000000, 64, true},  // unspecified, loopback, IPv4-mapped
    {0x2000000000000000, 3, false},  // global unicast
    {0xfc00000000000000, 8, false},  // unique local, assigned by others
    {0xfd00000000000000, 8, false},  // unique local, chosen at random
    {0xfe80000000000000, 9, true},   // link-local, and site-local subnets of InfiniBand
    {0xff00000000000000, 8, true},   // multicast
};

bool same_prefix(std::uint64_t a, std::uint64_t b, int length) {
  return length == 0 || (a ^ b) >> (64 - length) == 0;
}

// Whether bit `depth` must stay: the address is on the way to a range, or inside one that is kept.
bool stays(std::uint64_t address, int depth, std::span<const Range> ranges) {
  for (const Range& range : ranges) {
    if (depth < range.length && same_prefix(address, range.prefix, depth)) return true;
    if (range.kept && depth >= range.length && same_prefix(address, range.prefix, range.length))
      return true;
  }
  return false;
}

std::uint64_t keep_prefixes(const Keyed& keyed, const char* label, std::uint64_t address, int bits,
                            std::span<const Range> ranges) {
  std::uint64_t result = address;
  for (int depth = 0; depth < bits; ++depth) {
    if (stays(address, depth, ranges)) continue;
    const std::uint64_t before = depth == 0 ? 0 : address >> (64 - depth);
    std::string seed(1, static_cast<char>(depth));
    for (int shift = 56; shift >= 0; shift -= 8) seed += static_cast<char>(before >> shift & 0xff);
    result ^= keyed.number(label, seed, 1) << (63 - depth);
  }
  return result;
}

}  // namespace

bool is_ipv4_mapped(const Ipv6& address) {
  return address.network == 0 && address.interface >> 32 == 0xffff;
}

std::uint32_t IpAddresses::ipv4(std::uint32_t address) {
  const auto [at, fresh] = ipv4_.try_emplace(address, 0);
  if (fresh)
    at->second = static_cast<std::uint32_t>(
        keep_prefixes(keyed_, "ipv4", v4(address), 32, ipv4_ranges) >> 32);
  return at->second;
}

Ipv6 IpAddresses::ipv6(const Ipv6& address) {
  if (is_ipv4_mapped(address))
    return {0, std::uint64_t{0xffff} << 32 |
                   ipv4(static_cast<std::uint32_t>(address.interface & 0xffffffff))};
  if (address.network == 0 && address.interface <= 1) return address;
  if (address.network >> 56 == 0xff) return address;
  const auto [at, fresh] = networks_.try_emplace(address.network, 0);
  if (fresh) at->second = keep_prefixes(keyed_, "ipv6", address.network, 64, ipv6_ranges);
  return {at->second, hardware_.guid(address.interface)};
}

}  // namespace railgauge::observe::privacy
