#include "observe/lspci/config_space.h"

#include <gtest/gtest.h>

#include <array>

namespace railgauge::observe {
namespace {

using model::PciFacts;
const model::SourceRef here{1, 0, model::Trust::kernel};

// A switch downstream port: Gen5 x16 capable, Gen4 x8 now, ACS redirecting, slot 40.
std::vector<std::uint8_t> downstream_port() {
  std::vector<std::uint8_t> c(4096, 0);
  const auto put16 = [&](std::size_t at, unsigned v) {
    c[at] = static_cast<std::uint8_t>(v);
    c[at + 1] = static_cast<std::uint8_t>(v >> 8);
  };
  const auto put32 = [&](std::size_t at, std::uint32_t v) {
    put16(at, v & 0xffff);
    put16(at + 2, v >> 16);
  };
  put16(0x00, 0x1000), put16(0x02, 0xc030), put16(0x06, 0x10);
  put32(0x08, 0x060400b0);
  c[0x0e] = 1, c[0x18] = 0x16, c[0x19] = 0x17, c[0x1a] = 0x19, c[0x34] = 0x40;
  put16(0x40, 0x5001);                         // power management, next at 0x50
  put16(0x44, 0x0003);                         // D3hot
  put16(0x50, 0x0010), put16(0x52, 0x0162);    // PCI Express, downstream port with a slot
  put16(0x58, 0x2010 | 1 << 5);                // relaxed ordering, 256 byte payload, 512 requests
  put32(0x5c, 5 | 16 << 4);                    // Gen5 x16
  put16(0x60, 2), put16(0x62, 4 | 8 << 4);     // L1 enabled; Gen4 x8
  put32(0x64, 40u << 19), put32(0x7c, 0x3e);   // slot 40; speeds up to Gen5
  put32(0x100, 0x15000000u | 1u << 16 | 0x1);  // AER, next at 0x150
  put32(0x104, 1u << 5), put32(0x110, 1 | 1u << 12);
  put32(0x150, 0x16000000u | 1u << 16 | 0xd);  // ACS, next at 0x160
  put16(0x156, 0x1d);
  put32(0x160, 1u << 16 | 0x10);  // SR-IOV
  put16(0x168, 1), put16(0x16e, 16), put16(0x170, 4);
  return c;
}

TEST(ConfigSpace, EveryRegisterWeUseIsDecoded) {
  PciFacts f;
  decode_config_space(downstream_port(), here, f);
  EXPECT_EQ(*f.id, (model::PciId{0x1000, 0xc030}));
  EXPECT_EQ(f.pci_class->code, 0x060400u);
  EXPECT_EQ(*f.revision, 0xb0);
  EXPECT_EQ(*f.port, model::PciPort::switch_downstream);
  EXPECT_EQ(*f.secondary_bus, 0x17);
  EXPECT_EQ(*f.subordinate_bus, 0x19);
  EXPECT_EQ(*f.power_state, "D3hot");
  EXPECT_EQ(f.link.max_speed->generation(), 5);
  EXPECT_EQ(*f.link.max_width, 16);
  EXPECT_EQ(f.link.current_speed->generation(), 4);
  EXPECT_EQ(*f.link.current_width, 8);
  EXPECT_EQ(*f.aspm, model::Aspm::l1);
  EXPECT_EQ(*f.max_payload_bytes, 256);
  EXPECT_EQ(*f.max_read_request_bytes, 512);
  EXPECT_TRUE(*f.relaxed_ordering);
  EXPECT_EQ(*f.slot, "40");
  EXPECT_TRUE(f.acs->source_validation);
  EXPECT_FALSE(f.acs->translation_blocking);
  EXPECT_TRUE(f.acs->redirects());
  EXPECT_EQ(*f.sriov_total_vfs, 16);
  EXPECT_EQ(*f.sriov_active_vfs, 4);
}

TEST(ConfigSpace, AerStatusBitsAreNamed) {
  const auto bits = aer_status_bits(downstream_port());
  EXPECT_EQ(bits.uncorrectable, std::vector<std::string>{"SDES"});
  EXPECT_EQ(bits.correctable, (std::vector<std::string>{"RxErr", "Timeout"}));
}

TEST(ConfigSpace, SixtyFourBytesSayThatTheLinkNeedsRoot) {
  auto c = downstream_port();
  c.resize(64);
  PciFacts f;
  decode_config_space(c, here, f);
  EXPECT_TRUE(f.id.known());
  EXPECT_FALSE(f.link.current_width.known());
  EXPECT_EQ(f.link.current_width.reading().why(),
            "needs root: 64 of 256 bytes of configuration space were readable");
  EXPECT_EQ(f.acs.reading().why(),
            "needs root: 64 of 4096 bytes of configuration space were readable");
}

TEST(ConfigSpace, RootIsNotAskedForWhereItWouldNotHelp) {
  auto c = downstream_port();
  c.resize(256);
  PciFacts bridge;
  decode_config_space(c, here, bridge);
  EXPECT_EQ(bridge.acs.reading().why(),
            "the extended space is hidden or was not printed (lspci -xxxx does): 256 of 4096 bytes "
            "of configuration space were readable");
  c[0x0e] = 0;
  PciFacts endpoint;
  decode_config_space(c, here, endpoint);
  EXPECT_EQ(endpoint.acs.reading().why(),
            "not looked at: 256 of 4096 bytes of configuration space were read, as of every device "
            "that is no bridge");
}

TEST(ConfigSpace, ALinkOfWidthZeroIsDownNotZeroLanes) {
  auto c = downstream_port();
  c[0x62] = 1, c[0x63] = 0;
  PciFacts f;
  decode_config_space(c, here, f);
  EXPECT_EQ(f.link.current_width.reading().why(), "the link is down: width x0");
  EXPECT_FALSE(f.link.current_speed.known());
}

TEST(ConfigSpace, ADeadDeviceClaimsNothing) {
  PciFacts f;
  decode_config_space(std::vector<std::uint8_t>(256, 0xff), here, f);
  EXPECT_FALSE(f.id.known());
  EXPECT_FALSE(f.pci_class.known());
  EXPECT_TRUE(f.id.reading().is_failed());
}

TEST(ConfigSpace, LoopingListsEnd) {
  auto c = downstream_port();
  c[0x40] = 0x09, c[0x41] = 0x40;                   // points at itself
  c[0x102] = 0x01, c[0x103] = 0x10, c[0x100] = 99;  // likewise
  PciFacts f;
  decode_config_space(c, here, f);
  EXPECT_FALSE(f.port.known());
  EXPECT_FALSE(f.acs.known());
}

TEST(ConfigSpace, AnyLengthIsFine) {
  const auto whole = downstream_port();
  for (std::size_t n = 0; n < 400; ++n) {
    PciFacts f;
    decode_config_space(std::span(whole).first(n), here, f);
    EXPECT_EQ(f.id.known(), n >= 4) << n;
  }
}

}  // namespace
}  // namespace railgauge::observe
