// IP addresses as numbers, and what stands for them. Two addresses of one subnet stay in one
// subnet, whatever its mask: bit n of the result depends on bits 0..n alone (as Crypto-PAn does).
//   IpAddresses addresses(keyed, hardware);
//   addresses.ipv4(0x0a000001)    10.0.0.1 to another address of 10/8
// Private, shared and link-local ranges stay themselves, and nothing else falls into them.
// Loopback, multicast, netmasks and "any" stay as they are.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "observe/privacy/hardware_address.h"

namespace railgauge::observe::privacy {

struct Ipv6 {
  std::uint64_t network = 0;    // upper 64 bits; the subnet prefix of an InfiniBand GID
  std::uint64_t interface = 0;  // lower 64 bits; its GUID
  friend bool operator==(const Ipv6&, const Ipv6&) = default;
};

// ::ffff:a.b.c.d, as RoCE writes IPv4 into GIDs.
bool is_ipv4_mapped(const Ipv6& address);

class IpAddresses {
 public:
  IpAddresses(const Keyed& keyed, HardwareAddresses& hardware)
      : keyed_(keyed), hardware_(hardware) {}

  std::uint32_t ipv4(std::uint32_t address);
  Ipv6 ipv6(const Ipv6& address);  // the interface id follows the GUID rule

 private:
  const Keyed& keyed_;
  HardwareAddresses& hardware_;
  std::unordered_map<std::uint32_t, std::uint32_t> ipv4_;
  std::unordered_map<std::uint64_t, std::uint64_t> networks_;
};

}  // namespace railgauge::observe::privacy
