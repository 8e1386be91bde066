#include "observe/privacy/address_form.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "observe/privacy/characters.h"

namespace railgauge::observe::privacy {
namespace {

using Kind = AddressForm::Kind;

struct Found {
  Kind kind;
  std::string text;
  friend bool operator==(const Found&, const Found&) = default;
};

// Every form of a text, found as the two passes find them.
std::vector<Found> forms_of(std::string_view text) {
  std::vector<Found> found;
  AddressForms forms(text);
  for (std::size_t i = 0; i < text.size();) {
    const bool gap = text.substr(i).starts_with("::") && (i == 0 || !in_segment(text[i - 1]));
    if (!in_segment(text[i]) && !gap) {
      ++i;
      continue;
    }
    const std::size_t end = segment_end(text, i);
    const auto form = forms.at(i, end);
    if (form) found.push_back({form->kind, std::string(text.substr(i, form->length))});
    i = form ? i + form->length : std::max(end, i + 1);
  }
  return found;
}

std::vector<Found> one(Kind kind, const char* text) { return {{kind, text}}; }

TEST(AddressForms, MacAddresses) {
  for (const char* mac : {"50:6b:4b:a1:b2:c3", "50:6B:4B:A1:B2:C3", "50-6b-4b-a1-b2-c3"})
    EXPECT_EQ(forms_of(std::string("addr ") + mac + " brd"), one(Kind::mac, mac));
  EXPECT_EQ(forms_of("enx506b4ba1b2c3.100"), one(Kind::mac, "enx506b4ba1b2c3"));
  EXPECT_EQ(forms_of("mac:50:6b:4b:a1:b2:c3,"), one(Kind::mac, "50:6b:4b:a1:b2:c3"));
  EXPECT_EQ(forms_of("1:50:6b:4b:a1:b2:c3"), one(Kind::mac, "50:6b:4b:a1:b2:c3"));
  EXPECT_EQ(forms_of("50:6b:4b:a1:b2:c3: link up"), one(Kind::mac, "50:6b:4b:a1:b2:c3"));
}

TEST(AddressForms, Guids) {
  EXPECT_EQ(forms_of("506b:4b03:00a1:b2c3\n"), one(Kind::guid, "506b:4b03:00a1:b2c3"));
  EXPECT_EQ(forms_of("50:6b:4b:03:00:a1:b2:c3"), one(Kind::guid, "50:6b:4b:03:00:a1:b2:c3"));
  EXPECT_EQ(forms_of("Number ec-0d-9a-03-00-d4-4e-b0"), one(Kind::guid, "ec-0d-9a-03-00-d4-4e-b0"));
  EXPECT_EQ(forms_of("0x506b4b0300a1b2c3"), one(Kind::bare_guid, "0x506b4b0300a1b2c3"));
  EXPECT_EQ(forms_of("0xc42a10300a1b2c3"), one(Kind::bare_guid, "0xc42a10300a1b2c3"));
}

TEST(AddressForms, HardwareAddressOfIpoib) {
  const char* address = "80:00:00:48:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:a1:b2:c3";
  EXPECT_EQ(forms_of(address), one(Kind::ipoib, address));
}

TEST(AddressForms, Ipv4AsAWholeToken) {
  for (const char* text : {"10.0.0.1", "eth0:10.0.0.1<0>", "10.0.0.1/24", "[10.0.0.1]:22",
                           "=10.0.0.1,", "at 10.0.0.1.", "10.0.0.1:4791", "tcp://10.0.0.1:8080/"})
    EXPECT_EQ(forms_of(text), one(Kind::ipv4, "10.0.0.1")) << text;
  EXPECT_EQ(forms_of("10.0.0.1-10.0.0.9"),
            (std::vector<Found>{{Kind::ipv4, "10.0.0.1"}, {Kind::ipv4, "10.0.0.9"}}));
  EXPECT_EQ(forms_of("ip-10-0-0-1.ec2.internal"), one(Kind::ipv4_dashes, "ip-10-0-0-1"));
}

TEST(AddressForms, Ipv6InEverySpelling) {
  for (const char* address :
       {"fe80::1", "fe80::506b:4b03:a1:b2c3", "::ffff:10.0.0.1", "2001:db8::", "2001:DB8::A",
        "fe80:0000:0000:0000:506b:4b03:00a1:b2c3", "0000:0000:0000:0000:0000:ffff:0a00:0015",
        "1:2:3:4:5:6:7:8", "::1", "64:ff9b::192.0.2.1", "0:0:0:0:0:ffff:10.0.0.1"}) {
    EXPECT_EQ(forms_of(address), one(Kind::ipv6, address));
    EXPECT_EQ(forms_of(std::string("[") + address + "%eth0]:80"), one(Kind::ipv6, address));
  }
}

TEST(AddressForms, Uuids) {
  const char* uuid = "1a2b3c4d-1111-2222-8333-444455556666";
  for (const char* before : {"", "GPU-", "MIG-", "UUID=", "MIG-GPU-"})
    EXPECT_EQ(forms_of(std::string(before) + uuid + "/1/0"), one(Kind::uuid, uuid)) << before;
  EXPECT_EQ(forms_of("GPU-1a2b3c4d,GPU-"), one(Kind::uuid_beginning, "1a2b3c4d"));
}

TEST(AddressForms, WhatOnlyLooksLikeOne) {
  for (const char* text : {"535.104.05",
                           "22.31.1014",
                           "96.00.74.00.1C",
                           "23.10-0.5.5.0",
                           "5.8-1.1.2.1",
                           "v1.2.3.4",
                           "1.2.3.4.5",
                           "firmware-version: 218.0.226.0/pkg 21.40.25.31",
                           "256.1.1.1",
                           "1.2.3",
                           "01.2.3.4",
                           "1.2.3.4-5",
                           "libfoo_1.2.3.4.deb",
                           "0000:18:00.0",
                           "PCI:0000:9b:00",
                           "00000000:18:00.0",
                           "pci0000:00/0000:00:01.0/0000:18:00.0",
                           "12:30:45",
                           "2025-01-21T04:41:44,285060+00:00",
                           "2025-01-21-04-41-44-59",
                           "0-7,64-71",
                           "ffffffff,00000000,ffffffff",
                           "[8086:6f04]",
                           "c10d::Store",
                           "std::string",
                           "input3::capslock",
                           "1:2:3:4:5:6:7:8:9",
                           "00:11:22:33:44",
                           "0x20801813",
                           "MT4129",
                           "kworker/0:1",
                           "a:b",
                           "x::1y"})
    EXPECT_EQ(forms_of(text), std::vector<Found>{}) << text;
}

TEST(AddressForms, ALongChainOfBytesIsNoAddressAnywhereInside) {
  std::string chain = "aa";
  for (int i = 0; i < 40; ++i) chain += ":bb";
  EXPECT_EQ(forms_of(chain), std::vector<Found>{});
}

}  // namespace
}  // namespace railgauge::observe::privacy
