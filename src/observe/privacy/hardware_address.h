// MAC addresses and GUIDs as numbers, and what stands for them.
//   HardwareAddresses addresses(keyed);
//   addresses.mac(0x506b4ba1b2c3)          the maker (first 3 bytes) stays, the rest is permuted
//   addresses.guid(0x506b4b0300a1b2c3)     a GUID made from that MAC: the same 24 bits
// A GUID holds a MAC when its middle 16 bits are fffe (EUI-64), 0300 (Mellanox) or ffff (serial
// number capability of Intel). The universal/local bit is flipped in addresses of IPv6, so it does
// not choose the permutation and stays as it was.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "observe/privacy/keyed.h"

namespace railgauge::observe::privacy {

// All zeros, and group addresses (broadcast is one), name no device.
bool names_a_device(std::uint64_t mac);

std::optional<std::uint64_t> mac_inside(std::uint64_t guid);

class HardwareAddresses {
 public:
  explicit HardwareAddresses(const Keyed& keyed) : keyed_(keyed) {}

  std::uint64_t mac(std::uint64_t mac);
  std::uint64_t guid(std::uint64_t guid);  // all zeros and all ones mean "none" and stay

 private:
  std::uint64_t lower_bits(std::uint64_t mac);
  std::uint64_t other_guid(std::uint64_t guid);

  const Keyed& keyed_;
  std::unordered_map<std::uint64_t, std::uint64_t> macs_;
  std::unordered_map<std::uint64_t, std::uint64_t> guids_;
};

}  // namespace railgauge::observe::privacy
