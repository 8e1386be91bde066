#include "observe/privacy/hardware_address.h"

#include <string>

#include "observe/privacy/permutation.h"

namespace railgauge::observe::privacy {
namespace {

constexpr std::uint64_t low_24 = 0xffffff;
constexpr std::uint64_t low_40 = 0xffffffffff;
constexpr std::uint64_t local_bit = 0x020000;  // of a maker's 24 bits
constexpr std::uint64_t group_bit = 0x010000;

std::string tweak(const char* what, std::uint64_t maker) {
  std::string text(what);
  for (int shift = 16; shift >= 0; shift -= 8) text += static_cast<char>(maker >> shift & 0xff);
  return text;
}

std::uint64_t maker_of_mac(std::uint64_t mac) { return mac >> 24 & ~local_bit; }

}  // namespace

bool names_a_device(std::uint64_t mac) {
  return (mac >> 24 & group_bit) == 0 && (maker_of_mac(mac) != 0 || (mac & low_24) != 0);
}

std::optional<std::uint64_t> mac_inside(std::uint64_t guid) {
  const std::uint64_t middle = guid >> 24 & 0xffff;
  if (middle != 0xfffe && middle != 0x0300 && middle != 0xffff) return std::nullopt;
  return (guid >> 40) << 24 | (guid & low_24);
}

// A value that means "no device" is never a result, so the permutation is walked past it.
std::uint64_t HardwareAddresses::lower_bits(std::uint64_t mac) {
  const std::uint64_t maker = maker_of_mac(mac);
  const auto [at, fresh] = macs_.try_emplace(maker << 24 | (mac & low_24), 0);
  if (!fresh) return at->second;
  std::uint64_t value = mac & low_24;
  do value = permute_bits(keyed_, tweak("mac", maker), value, 24);
  while (maker == 0 && value == 0);
  return at->second = value;
}

std::uint64_t HardwareAddresses::mac(std::uint64_t mac) {
  return names_a_device(mac) ? (mac & ~low_24) | lower_bits(mac) : mac;
}

std::uint64_t HardwareAddresses::other_guid(std::uint64_t guid) {
  const std::uint64_t maker = guid >> 40 & ~local_bit;
  const auto [at, fresh] = guids_.try_emplace(maker << 40 | (guid & low_40), 0);
  if (!fresh) return at->second;
  std::uint64_t value = guid & low_40;
  // Past what would read as a GUID that holds a MAC, and past "none".
  do value = permute_bits(keyed_, tweak("guid", maker), value, 40);
  while (mac_inside(value) || (maker == 0 && value == 0));
  return at->second = value;
}

std::uint64_t HardwareAddresses::guid(std::uint64_t guid) {
  if (guid == 0 || guid == ~std::uint64_t{0}) return guid;
  if (const auto mac = mac_inside(guid))
    return names_a_device(*mac) ? (guid & ~low_24) | lower_bits(*mac) : guid;
  return (guid & ~low_40) | other_guid(guid);
}

}  // namespace railgauge::observe::privacy
