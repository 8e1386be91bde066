#include <gtest/gtest.h>

#include <random>
#include <set>

#include "observe/privacy/hardware_address.h"
#include "observe/privacy/ip_address.h"

namespace railgauge::observe::privacy {
namespace {

class Addresses : public testing::Test {
 protected:
  Keyed keyed_{"a key of a test"};
  HardwareAddresses hardware_{keyed_};
  IpAddresses ip_{keyed_, hardware_};
};

int common_bits(std::uint64_t a, std::uint64_t b, int bits) {
  for (int i = 0; i < bits; ++i)
    if ((a ^ b) >> (bits - 1 - i) & 1) return i;
  return bits;
}

TEST_F(Addresses, MacKeepsItsMaker) {
  const auto mac = hardware_.mac(0x506b4ba1b2c3);
  EXPECT_EQ(mac >> 24, 0x506b4bu);
  EXPECT_NE(mac, 0x506b4ba1b2c3u);
}

TEST_F(Addresses, ZeroBroadcastAndMulticastStay) {
  for (const std::uint64_t mac :
       {0x000000000000ull, 0xffffffffffffull, 0x01005e0000fbull, 0x333300000001ull})
    EXPECT_EQ(hardware_.mac(mac), mac);
  EXPECT_EQ(hardware_.guid(0), 0u);
  EXPECT_EQ(hardware_.guid(~0ull), ~0ull);
}

TEST_F(Addresses, GuidsMadeOfAMacFollowIt) {
  const auto low = hardware_.mac(0x506b4ba1b2c3) & 0xffffff;
  EXPECT_EQ(hardware_.guid(0x506b4b0300a1b2c3), 0x506b4b0300000000 | low);
  EXPECT_EQ(hardware_.guid(0x506b4bfffea1b2c3), 0x506b4bfffe000000 | low);
  EXPECT_EQ(hardware_.guid(0x526b4bfffea1b2c3), 0x526b4bfffe000000 | low);  // local bit flipped
  EXPECT_EQ(hardware_.mac(0x526b4ba1b2c3), 0x526b4b000000 | low);
}

TEST_F(Addresses, OtherGuidsKeepTheirMakerAndNeverLookLikeAMac) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto guid = hardware_.guid(0x0002c90000000000 + i * 0x10001);
    EXPECT_EQ(guid >> 40, 0x0002c9u);
    EXPECT_FALSE(mac_inside(guid));
    seen.insert(guid);
  }
  EXPECT_EQ(seen.size(), 5000u);
}

TEST_F(Addresses, MacsOfOneMakerDoNotCollide) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 20000; ++i) seen.insert(hardware_.mac(0xb83fd2000000 + i));
  EXPECT_EQ(seen.size(), 20000u);
}

TEST_F(Addresses, TwoIpv4ShareAsManyBitsAsBefore) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto a = static_cast<std::uint32_t>(random());
    const std::uint32_t b = a ^ (static_cast<std::uint32_t>(random()) >> (random() % 32));
    EXPECT_EQ(common_bits(ip_.ipv4(a), ip_.ipv4(b), 32), common_bits(a, b, 32)) << a << " " << b;
  }
}

TEST_F(Addresses, Ipv4OfASubnetComeOutOnceEach) {
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < 256; ++i) seen.insert(ip_.ipv4(0x0a010200 + i) & 0xff);
  EXPECT_EQ(seen.size(), 256u);
}

TEST_F(Addresses, PrivateRangesStayThemselves) {
  EXPECT_EQ(ip_.ipv4(0x0a000001) >> 24, 0x0au);
  EXPECT_EQ(ip_.ipv4(0xac1f0001) >> 20, 0xac1u);
  EXPECT_EQ(ip_.ipv4(0xc0a80101) >> 16, 0xc0a8u);
  EXPECT_EQ(ip_.ipv4(0x64400001) >> 22, 0x64400001u >> 22);
  EXPECT_EQ(ip_.ipv4(0xa9fe0101) >> 16, 0xa9feu);
}

TEST_F(Addresses, PublicAddressesDoNotFallIntoPrivateRanges) {
  std::mt19937 random(5);
  const auto is_private = [](std::uint32_t a) {
    return a >> 24 == 10 || a >> 20 == 0xac1 || a >> 16 == 0xc0a8 || a >> 24 == 127;
  };
  for (int i = 0; i < 5000; ++i) {
    const auto address = static_cast<std::uint32_t>(random());
    EXPECT_EQ(is_private(ip_.ipv4(address)), is_private(address)) << address;
  }
}

TEST_F(Addresses, NetmasksLoopbackAndMulticastStay) {
  for (const std::uint32_t address :
       {0x00000000u, 0xffffffffu, 0xffffff00u, 0xffff0000u, 0x7f000001u, 0xe0000001u, 0x000000ffu})
    EXPECT_EQ(ip_.ipv4(address), address);
}

TEST_F(Addresses, TwoIpv6NetworksShareAsManyBitsAsBefore) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t a = random() >> 4 | 0x2000000000000000;
    const std::uint64_t b = a ^ (random() >> (3 + random() % 60));
    EXPECT_EQ(common_bits(ip_.ipv6({a, 1}).network, ip_.ipv6({b, 1}).network, 64),
              common_bits(a, b, 64));
  }
}

TEST_F(Addresses, Ipv6KeepsWhatNamesNobody) {
  for (const Ipv6 address : {Ipv6{0, 0}, Ipv6{0, 1}, Ipv6{0xff02000000000000, 1}})
    EXPECT_EQ(ip_.ipv6(address), address);
  EXPECT_EQ(ip_.ipv6({0xfe80000000000000, 7}).network, 0xfe80000000000000u);
  EXPECT_EQ(ip_.ipv6({0xfd12345678900000, 7}).network >> 56, 0xfdu);
}

TEST_F(Addresses, Ipv4InsideIpv6IsThatIpv4) {
  const auto mapped = ip_.ipv6({0, 0xffff0a000015});
  EXPECT_EQ(mapped.network, 0u);
  EXPECT_EQ(mapped.interface, 0xffff00000000 | ip_.ipv4(0x0a000015));
}

}  // namespace
}  // namespace railgauge::observe::privacy
